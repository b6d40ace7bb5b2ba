!a = tuple<i32>
!b = tuple<!a, !a>
func.func private @f(!b)

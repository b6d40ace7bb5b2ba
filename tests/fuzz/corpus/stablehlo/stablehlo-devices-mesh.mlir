func.func private @mesh()

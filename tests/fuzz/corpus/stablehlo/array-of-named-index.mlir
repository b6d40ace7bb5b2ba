!i = index
module attributes {a = array<!i: 1>} {}

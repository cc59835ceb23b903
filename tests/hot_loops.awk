# Reads `objdump -d -C --no-show-raw-insn` of AArch64 objects and prints of each loop of each function whose name matches `wanted`:
#   instructions <tab> loads <tab> vector operations <tab> calls <tab> stack accesses <tab> function
# A loop is told by its branch backwards, and what is counted is the shortest way from its target round to it: of a filter that
# is the way on which nothing passes. A load is one register of one; ldp and ld2, ld3, ld4 are two, two, three and four.

# The shortest way from line `first` to line `last`, as before[...]: which line is reached from which. Breadth first.
function find_way(first, last,  head, tail, k, next_line, n, i) {
  split("", before)
  head = tail = 0
  queue[tail++] = first
  before[first] = 0
  while (head < tail) {
    k = queue[head++]
    if (k == last) return 1
    n = 0
    if (goal[k] != "" && goal[k] in at) next_line[++n] = at[goal[k]]
    if (!ends[k] && k < lines) next_line[++n] = k + 1
    for (i = 1; i <= n; ++i) {
      if (next_line[i] in before || next_line[i] < first) continue
      before[next_line[i]] = k
      queue[tail++] = next_line[i]
    }
  }
  return 0
}
function finish(  i, k, count, loads, vectors, calls, stack, op) {
  for (i = 1; i <= lines; ++i) {
    if (goal[i] == "" || !(goal[i] in at) || at[goal[i]] > i || !find_way(at[goal[i]], i)) continue
    count = loads = vectors = calls = stack = 0
    for (k = i; k != 0; k = before[k]) {
      ++count
      op = text[k]
      sub(/[ \t].*/, "", op)
      if (op == "bl" || op == "blr") ++calls
      if (text[k] ~ /\[sp[],]/) ++stack
      else if (op ~ /^ld/) loads += op == "ldp" ? 2 : op ~ /^ld[234]/ ? substr(op, 3, 1) : 1
      if (op !~ /^(st|ld)/ && text[k] ~ /^[a-z0-9]+[ \t]+[vzp][0-9]+\./) ++vectors
    }
    printf "%d\t%d\t%d\t%d\t%d\t%s\n", count, loads, vectors, calls, stack, name
  }
  lines = 0
  split("", at)
}
/^[0-9a-f]+ <.*>:$/ {
  if (skipped == 0) finish()
  name = $0
  sub(/^[0-9a-f]+ </, "", name)
  sub(/>:$/, "", name)
  gsub(/topsplit::(kernels_[a-z0-9]+::|kernels::)?/, "", name)
  skipped = name !~ wanted
  next
}
!skipped && /^ *[0-9a-f]+:/ {
  address = $1
  sub(/:/, "", address)
  line = $0
  sub(/^ *[0-9a-f]+:[ \t]*/, "", line)
  text[++lines] = line
  at[address] = lines
  goal[lines] = ""
  ends[lines] = line ~ /^(b|br|ret)([ \t]|$)/
  if (line ~ /^(b|b\.[a-z]+|cbz|cbnz|tbz|tbnz)[ \t]/) {
    sub(/[ \t]*<.*/, "", line)
    sub(/.*[ \t]/, "", line)
    goal[lines] = line
  }
}
END { if (skipped == 0) finish() }

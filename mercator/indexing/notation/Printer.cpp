// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printer of the notation.
//
// Expressions are printed with the fewest parentheses, terms in an order that
// depends on structure alone (`compare`), so that the text is independent of
// handles. Printing uses an explicit stack instead of recursion and stops at
// `kMaxPrinted` bytes.

#include "mercator/indexing/notation/Identifiers.h"
#include "mercator/indexing/notation/Notation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string defaultName(Var v) {
  const char *prefix = v.kind == VarKind::Dim     ? "d"
                       : v.kind == VarKind::Range ? "s"
                                                  : "rt";
  return prefix + std::to_string(v.index);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Var v) {
  return os << defaultName(v);
}

static bool isPrintableName(llvm::StringRef name) {
  if (name.empty() || !isIdentifierStart(name.front()) ||
      isReservedIdentifier(name) || !llvm::all_of(name, isIdentifierCharacter))
    return false;
  // The parser would read d_0 as d0.
  return normalizedIdentifier(name) == name;
}

std::vector<std::string> variableNames(const Arena &arena,
                                       const Domain &domain) {
  std::vector<std::string> names;
  names.reserve(domain.numVars());
  llvm::StringSet<> taken;
  auto own = [&](uint32_t interned) {
    llvm::StringRef name = arena.name(interned);
    names.push_back(isPrintableName(name) && taken.insert(name).second
                        ? name.str()
                        : std::string());
  };
  for (const Variable &v : domain.dims)
    own(v.name);
  for (const Variable &v : domain.ranges)
    own(v.name);
  for (const RuntimeVariable &v : domain.runtimes)
    own(v.name);
  size_t i = 0, numRead = domain.runtimes.size() - domain.numParameters();
  domain.forEachVar([&](Var v) {
    std::string &name = names[i++];
    if (!name.empty())
      return;
    bool isParameter = v.kind == VarKind::Runtime && v.index >= numRead;
    std::string usual =
        isParameter ? "p" + std::to_string(v.index - numRead) : defaultName(v);
    name = usual;
    for (unsigned n = 1; !taken.insert(name).second; ++n)
      name = usual + "_v" + std::to_string(n);
  });
  return names;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {
/// The outermost operator of a printed expression, loosest first.
enum class Form : uint8_t { Sum, Negation, Times, Divide, Mod, CeilDiv, Atom };

/// The context that an expression is printed in.
enum class Place : uint8_t {
  Alone,
  Term,     ///< of a sum
  Factor,   ///< of a product, or left of "* 3"
  Dividend, ///< left of "/", "mod" or "ceildiv"
  Right,    ///< right of any of these, or after a leading "-"
};

/// Prints expressions of one map. Does not recurse.
class ExprPrinter {
public:
  ExprPrinter(const Arena &arena, const Domain *domain) : arena(arena) {
    if (!domain)
      return;
    names = variableNames(arena, *domain);
    numDims = domain->dims.size();
    numRanges = domain->ranges.size();
  }

  void print(llvm::raw_ostream &os, Expr root);
  const std::vector<std::string> &allNames() const { return names; }
  std::string nameOf(Var v) const;

private:
  struct Item {
    std::string text; ///< printed if not empty
    Expr expr;        ///< printed if `text` is empty
    Place place = Place::Alone;
    Form parent = Form::Sum;
  };

  Form form(Expr e) const;
  bool needsParentheses(Expr e, Place place, Form parent) const;
  int compare(Expr a, Expr b) const;
  void sortOperands(Expr root);
  void expand(Expr e);
  void expandSum(Expr e);

  llvm::ArrayRef<Term> sorted(Expr e) const {
    return sortedTerms.find(e.getId())->second;
  }
  /// Appends to the items of the expression that is being expanded.
  void text(std::string s) { parts.push_back({std::move(s), {}}); }
  void operand(Expr e, Place place, Form parent) {
    parts.push_back({{}, e, place, parent});
  }

  const Arena &arena;
  std::vector<std::string> names;
  size_t numDims = 0, numRanges = 0;
  /// Terms and factors in the order in which they are printed, by handle.
  llvm::DenseMap<uint32_t, llvm::SmallVector<Term, 4>> sortedTerms;
  std::vector<Item> stack, parts;
};
} // namespace

/// The order of terms that are neither scaled nor products, as in XLA.
static int rank(ExprKind kind) {
  switch (kind) {
  case ExprKind::Sum:
    return 0;
  case ExprKind::Product:
    return 1;
  case ExprKind::Quotient:
    return 2;
  case ExprKind::CeilDiv:
    return 3;
  case ExprKind::Remainder:
    return 4;
  case ExprKind::Max:
    return 5;
  case ExprKind::Min:
    return 6;
  case ExprKind::Wide:
    return 7;
  case ExprKind::Variable:
    return 8;
  case ExprKind::Constant:
    return 9;
  }
  return 10;
}

static int compareNumbers(int64_t a, int64_t b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/// A total order that depends on structure alone. Equal structures have equal
/// handles, so the comparison follows one path from the root.
/// Requires: the terms of both have been sorted.
int ExprPrinter::compare(Expr a, Expr b) const {
  while (a != b) {
    ExprKind kind = arena.kind(a);
    if (int c = rank(kind) - rank(arena.kind(b)))
      return c;
    switch (kind) {
    case ExprKind::Constant:
      return compareNumbers(arena.constantValue(a), arena.constantValue(b));
    case ExprKind::Variable: {
      Var x = arena.var(a), y = arena.var(b);
      if (x.kind != y.kind)
        return static_cast<int>(x.kind) - static_cast<int>(y.kind);
      return compareNumbers(x.index, y.index);
    }
    case ExprKind::Sum:
    case ExprKind::Product: {
      llvm::ArrayRef<Term> x = sorted(a), y = sorted(b);
      size_t i = 0, n = std::min(x.size(), y.size());
      while (i < n && x[i] == y[i])
        ++i;
      if (i == n) {
        if (int c = compareNumbers(x.size(), y.size()))
          return c;
        return compareNumbers(arena.linear(a).constant,
                              arena.linear(b).constant);
      }
      if (x[i].expr == y[i].expr)
        return compareNumbers(x[i].coefficient, y[i].coefficient);
      a = x[i].expr, b = y[i].expr;
      break;
    }
    default: {
      llvm::ArrayRef<Term> x = sorted(a), y = sorted(b);
      unsigned i = x[0] == y[0];
      if (x[i] == y[i]) // Two operations of one kind: a Wide sum and product.
        return arena.wideIsSum(a) ? -1 : 1;
      a = x[i].expr, b = y[i].expr;
    }
    }
  }
  return 0;
}

void ExprPrinter::sortOperands(Expr root) {
  arena.forEachPostOrder(root, [&](Expr e) {
    ExprKind kind = arena.kind(e);
    if (kind == ExprKind::Constant || kind == ExprKind::Variable ||
        sortedTerms.contains(e.getId()))
      return;
    llvm::SmallVector<Term, 4> terms;
    if (kind == ExprKind::Sum)
      llvm::append_range(terms, arena.linear(e).terms);
    else if (kind == ExprKind::Product)
      llvm::append_range(terms, arena.factors(e));
    else
      terms = {{arena.lhs(e), 1}, {arena.rhs(e), 1}};
    auto isScaled = [&](const Term &t) {
      return (t.coefficient != 1 && t.coefficient != -1) ||
             arena.kind(t.expr) == ExprKind::Product;
    };
    bool divides = kind == ExprKind::Quotient || kind == ExprKind::Remainder ||
                   kind == ExprKind::CeilDiv;
    if (!divides)
      llvm::sort(terms, [&](const Term &a, const Term &b) {
        if (kind == ExprKind::Sum && isScaled(a) != isScaled(b))
          return isScaled(a);
        return compare(a.expr, b.expr) < 0;
      });
    sortedTerms[e.getId()] = std::move(terms);
  });
}

Form ExprPrinter::form(Expr e) const {
  switch (arena.kind(e)) {
  case ExprKind::Constant:
  case ExprKind::Variable:
  case ExprKind::Min:
  case ExprKind::Max:
    return Form::Atom;
  case ExprKind::Sum: {
    Linear l = arena.linear(e);
    if (l.terms.size() > 1 || l.constant != 0)
      return Form::Sum;
    return l.terms[0].coefficient == -1 ? Form::Negation : Form::Times;
  }
  case ExprKind::Product:
    return Form::Times;
  case ExprKind::Quotient:
    return Form::Divide;
  case ExprKind::Remainder:
    return Form::Mod;
  case ExprKind::CeilDiv:
    return Form::CeilDiv;
  case ExprKind::Wide:
    return arena.wideIsSum(e) ? Form::Sum : Form::Times;
  }
  return Form::Atom;
}

bool ExprPrinter::needsParentheses(Expr e, Place place, Form parent) const {
  if (place == Place::Alone)
    return false;
  Form f = form(e);
  if (f == Form::Atom)
    return false;
  if (arena.kind(e) == ExprKind::Wide)
    return true; // Its two operands must stay together.
  switch (place) {
  case Place::Term:
    return f == Form::Sum;
  case Place::Factor:
  case Place::Dividend:
    return f != parent;
  default:
    return true;
  }
}

std::string ExprPrinter::nameOf(Var v) const {
  size_t slot = v.kind == VarKind::Dim     ? v.index
                : v.kind == VarKind::Range ? numDims + v.index
                                           : numDims + numRanges + v.index;
  return slot < names.size() ? names[slot] : defaultName(v);
}

void ExprPrinter::expandSum(Expr e) {
  bool first = true;
  for (const Term &t : sorted(e)) {
    int64_t c = t.coefficient;
    if (!first) {
      // The magnitude of the smallest int64 is not an int64.
      bool minus = c < 0 && c != Interval::kMin;
      text(minus ? " - " : " + ");
      c = minus ? -c : c;
    } else if (c == -1) {
      text("-");
      operand(t.expr, Place::Right, Form::Negation);
      first = false;
      continue;
    }
    first = false;
    operand(t.expr, c == 1 ? Place::Term : Place::Factor, Form::Times);
    if (c != 1)
      text(" * " + std::to_string(c));
  }
  int64_t constant = arena.linear(e).constant;
  if (constant == 0)
    return;
  bool minus = constant < 0 && constant != Interval::kMin;
  text((minus ? " - " : " + ") + std::to_string(minus ? -constant : constant));
}

/// Fills `parts` with the items that e prints as.
void ExprPrinter::expand(Expr e) {
  auto binary = [&](const char *op, Place left, Form parent) {
    operand(sorted(e)[0].expr, left, parent);
    text(op);
    operand(sorted(e)[1].expr, Place::Right, parent);
  };
  switch (arena.kind(e)) {
  case ExprKind::Sum:
    return expandSum(e);
  case ExprKind::Product:
    for (const Term &t : sorted(e))
      for (int64_t i = 0; i < t.coefficient; ++i) {
        if (parts.size() > kMaxPrinted / 16)
          return text("...");
        if (!parts.empty())
          text(" * ");
        operand(t.expr, Place::Factor, Form::Times);
      }
    return;
  case ExprKind::Quotient:
    return binary(" / ", Place::Dividend, Form::Divide);
  case ExprKind::Remainder:
    return binary(" mod ", Place::Dividend, Form::Mod);
  case ExprKind::CeilDiv:
    return binary(" ceildiv ", Place::Dividend, Form::CeilDiv);
  case ExprKind::Wide:
    return binary(arena.wideIsSum(e) ? " + " : " * ", Place::Right, Form::Sum);
  case ExprKind::Min:
  case ExprKind::Max:
    text(arena.kind(e) == ExprKind::Min ? "min(" : "max(");
    operand(sorted(e)[0].expr, Place::Alone, Form::Sum);
    text(", ");
    operand(sorted(e)[1].expr, Place::Alone, Form::Sum);
    return text(")");
  case ExprKind::Constant:
  case ExprKind::Variable:
    return;
  }
}

void ExprPrinter::print(llvm::raw_ostream &os, Expr root) {
  sortOperands(root);
  uint64_t start = os.tell();
  stack.clear();
  stack.push_back({{}, root});
  while (!stack.empty()) {
    Item item = std::move(stack.back());
    stack.pop_back();
    if (!item.expr) {
      os << item.text;
      continue;
    }
    Expr e = item.expr;
    if (arena.kind(e) == ExprKind::Variable) {
      os << nameOf(arena.var(e));
    } else if (arena.kind(e) == ExprKind::Constant) {
      os << arena.constantValue(e);
    } else if (os.tell() - start > kMaxPrinted) {
      os << "...";
    } else {
      parts.clear();
      expand(e);
      if (needsParentheses(e, item.place, item.parent)) {
        os << '(';
        stack.push_back({")", {}});
      }
      std::move(parts.rbegin(), parts.rend(), std::back_inserter(stack));
    }
  }
}

void print(llvm::raw_ostream &os, const Arena &arena, Expr expr,
           const Domain *names) {
  ExprPrinter(arena, names).print(os, expr);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Printed<Expr> e) {
  print(os, e.arena, e.value);
  return os;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Printed<Constraint> c) {
  return os << Printed{c.arena, c.value.expr} << " in " << c.value.bounds;
}

void Arena::dump(Expr e) const { llvm::errs() << Printed{*this, e} << '\n'; }

std::string toString(const Arena &arena, Expr expr, const Domain *names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, arena, expr, names);
  return text;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
class MapPrinter {
public:
  MapPrinter(llvm::raw_ostream &os, const Arena &arena, const Domain &domain)
      : os(os), arena(arena), domain(domain), exprs(arena, &domain) {}
  MapPrinter(llvm::raw_ostream &os, const Map &map)
      : MapPrinter(os, *map.arena, map.domain) {}

  /// Which lists of variables are printed; the dimensions always are.
  struct Lists {
    bool ranges, runtimes, parameters;
  };

  void printSignature(Lists lists) {
    uint32_t numRuntimes = domain.runtimes.size(),
             numRead = numRuntimes - domain.numParameters();
    printList('(', ')', VarKind::Dim, 0, domain.dims.size());
    if (lists.ranges)
      printList('[', ']', VarKind::Range, 0, domain.ranges.size());
    if (lists.runtimes)
      printList('{', '}', VarKind::Runtime, 0, numRead);
    if (lists.parameters)
      printList('<', '>', VarKind::Runtime, numRead, numRuntimes);
  }
  void printSignature() {
    unsigned numParameters = domain.numParameters();
    printSignature({!domain.ranges.empty(),
                    domain.runtimes.size() > numParameters, numParameters > 0});
  }

  void printResults(llvm::ArrayRef<Expr> results) {
    os << " -> (";
    for (size_t i = 0; i < results.size(); ++i) {
      os << (i ? ", " : "");
      exprs.print(os, results[i]);
    }
    os << ')';
  }

  /// All entries, in order: those of the variables, then the constraints,
  /// sorted as text.
  std::vector<std::string> entries() {
    std::vector<std::string> lines, constraints;
    size_t i = 0;
    domain.forEachVar([&](Var v) {
      const std::string &name = exprs.allNames()[i++];
      // A runtime variable with a constraint on it prints its bounds even if
      // they are infinite: the parser takes the first entry for the bounds.
      bool first = v.kind == VarKind::Runtime &&
                   !domain.runtimes[v.index].isParameter &&
                   llvm::any_of(domain.constraints, [&](const Constraint &c) {
                     return arena.kind(c.expr) == ExprKind::Variable &&
                            arena.var(c.expr) == v;
                   });
      if (domain.bounds(v) != Interval::everything() || first)
        lines.push_back(name + interval(domain.bounds(v)));
    });
    for (const Constraint &c : domain.constraints) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      exprs.print(stream, c.expr);
      constraints.push_back(text + interval(c.bounds));
    }
    llvm::sort(constraints);
    llvm::append_range(lines, constraints);
    return lines;
  }

  void printSources() {
    bool first = true;
    for (unsigned i = 0; i < domain.runtimes.size(); ++i) {
      const RuntimeVariable &v = domain.runtimes[i];
      if (v.source == 0 || v.isParameter)
        continue;
      os << (first ? "runtime variables:\n" : "");
      first = false;
      os << exprs.nameOf({VarKind::Runtime, i}) << ": ";
      for (char c : arena.name(v.source)) // These would end it.
        os << (c == ';' || c == '\n' ? '_' : c);
      if (v.element >= 0)
        os << '{' << v.element << '}';
      os << "; ";
      printSourceMap(i);
      os << '\n';
    }
  }

  void printSourceMap(unsigned i) {
    const RuntimeVariable &v = domain.runtimes[i];
    size_t numRead = domain.runtimes.size() - domain.numParameters();
    Lists used{};
    domain.forEachVar([&](Var var) {
      if (llvm::none_of(v.index, [&](Expr e) { return arena.uses(e, var); }))
        return;
      used.ranges |= var.kind == VarKind::Range;
      used.runtimes |= var.kind == VarKind::Runtime && var.index < numRead;
      used.parameters |= var.kind == VarKind::Runtime && var.index >= numRead;
    });
    // The position of a parameter counts the runtime variables before it.
    used.runtimes |= used.parameters && numRead > 0;
    printSignature(used);
    printResults(v.index);
  }

private:
  void printList(char open, char close, VarKind kind, uint32_t begin,
                 uint32_t end) {
    os << open;
    for (uint32_t i = begin; i < end; ++i) {
      os << (i > begin ? ", " : "");
      os << exprs.nameOf({kind, i});
    }
    os << close;
  }

  static std::string interval(Interval i) {
    return " in [" + (i.hasLower() ? std::to_string(i.lower) : "-inf") + ", " +
           (i.hasUpper() ? std::to_string(i.upper) : "inf") + "]";
  }

  llvm::raw_ostream &os;
  const Arena &arena;
  const Domain &domain;
  ExprPrinter exprs;
};
} // namespace

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Printed<Domain> d) {
  if (d.value.knownEmpty)
    return os << "KNOWN EMPTY";
  llvm::interleaveComma(MapPrinter(os, d.arena, d.value).entries(), os);
  return os;
}

void print(llvm::raw_ostream &os, const Map &map) {
  MapPrinter printer(os, map);
  printer.printSignature();
  printer.printResults(map.results);
  if (map.isKnownEmpty()) {
    os << ", KNOWN EMPTY";
    return;
  }
  bool first = true;
  for (const std::string &line : printer.entries()) {
    os << (first ? ", domain: " : ", ") << line;
    first = false;
  }
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Map &map) {
  print(os, map);
  return os;
}

void Map::dump() const { llvm::errs() << *this << '\n'; }

std::string toString(const Map &map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, map);
  return text;
}

std::string toLines(const Map &map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MapPrinter printer(os, map);
  printer.printSignature();
  printer.printResults(map.results);
  os << '\n';
  if (map.isKnownEmpty()) {
    os << "domain: KNOWN EMPTY\n";
    return text;
  }
  std::vector<std::string> entries = printer.entries();
  os << (entries.empty() ? "" : "domain:\n");
  for (const std::string &line : entries)
    os << line << '\n';
  printer.printSources();
  return text;
}

std::string sourceMapToString(const Map &map, unsigned i) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MapPrinter(os, map).printSourceMap(i);
  return text;
}

} // namespace mercator::indexing

// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Decoder.h"
#include "mercator/reference/ptx/Flow.h"
#include "mercator/reference/ptx/Memory.h"
#include "mercator/reference/ptx/Module.h"
#include "mercator/reference/ptx/Specials.h"
#include "mercator/reference/ptx/Syntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

namespace mercator::reference::ptx {

/// Variables in global memory begin here, below all buffers.
static constexpr uint64_t kGlobalWindow = 0x40000000;
static constexpr uint64_t kMostRegisterBytes = uint64_t(1) << 24;
static constexpr uint64_t kMostVariableBytes = uint64_t(1) << 26;

namespace {

/// What a name in a kernel stands for.
struct Symbol {
  /// Shared memory that the launch sizes follows all variables of the kernel.
  enum Kind : uint8_t { Variable, Parameter, DynamicShared } kind = Variable;
  uint64_t address = 0; ///< DynamicShared: the alignment
  uint32_t parameter = 0;
};

/// Registers `%r<35>`: a prefix, a number of them, and their width.
struct RegisterRange {
  uint64_t count = 0;
  uint8_t bytes = 0;
  bool isPredicate = false;
};

/// Names between two braces.
struct Scope {
  llvm::StringMap<RegisterRange> families;
  llvm::StringMap<Register> registers;
  llvm::StringMap<uint32_t> labels;
  size_t parent = 0;
};

struct Jump {
  uint32_t instruction = 0;
  llvm::StringRef label;
  size_t scope = 0;
  uint32_t begin = 0, end = 0;
};

class Parser {
public:
  Parser(const SourceBuffer &text, DiagnosticEngine &diagnostics)
      : text(text), diagnostics(diagnostics), lexer(text.getText()) {
    module.text = &text;
    advance();
  }

  std::optional<Module> parse();

private:
  // Tokens.
  void advance() { token = lexer.next(); }
  bool error(const Token &where, const llvm::Twine &message) {
    (void)diagnostics.error({&text, where.begin, where.end}, message);
    return false;
  }
  std::string shown() const {
    return token.kind == Token::End
               ? std::string("the end of the text")
               : quote(text.getText().slice(token.begin, token.end));
  }
  bool expect(char c) {
    if (!token.is(c))
      return error(token, "expected '" + llvm::Twine(c) + "', got " + shown());
    advance();
    return true;
  }
  bool accept(char c) {
    bool is = token.is(c);
    if (is)
      advance();
    return is;
  }
  bool acceptDotted(llvm::StringRef name) {
    bool is = token.kind == Token::Dotted && token.text == name;
    if (is)
      advance();
    return is;
  }
  bool integer(uint64_t &value);
  void skipLine();
  bool skipPast(char c);
  bool skipBraces();

  // Directives.
  bool topLevel();
  bool entry();
  bool parameters();
  bool launchBounds();
  bool variable(llvm::StringRef space, llvm::StringMap<Symbol> &symbols);
  bool initializer(std::vector<uint8_t> &bytes, unsigned elementBytes);
  bool registers();

  // Statements.
  bool body();
  bool statement();
  bool guard(Statement &s);
  bool operand(Operand &result, unsigned depth);
  bool simpleOperand(Operand &result);
  bool addressOperand(Operand &result);
  bool vectorOperand(Operand &result, unsigned depth);
  bool decode(const Statement &s);
  bool decodeControl(const Statement &s, Decoder &d);
  uint64_t addressOf(const Symbol &symbol);
  std::optional<Register> findRegister(llvm::StringRef name);
  Slot special(unsigned index);
  bool bindJumps();
  Slot allocate(unsigned bytes, bool isPredicate);

  const SourceBuffer &text;
  DiagnosticEngine &diagnostics;
  Lexer lexer;
  Token token;
  Module module;
  llvm::StringMap<Symbol> globals;
  llvm::StringMap<Symbol> locals; ///< of the kernel
  bool isDynamicSharedPlaced = false;
  uint32_t moduleShared = 0; ///< of variables outside the kernels
  Kernel kernel;
  std::vector<Scope> scopes;
  size_t scope = 0;
  std::vector<Jump> jumps;
  llvm::DenseMap<uint64_t, Slot> constants;
  llvm::DenseMap<unsigned, Slot> specials;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::integer(uint64_t &value) {
  bool isNegative = accept('-');
  if (token.kind != Token::Integer)
    return error(token, "expected an integer, got " + shown());
  value = isNegative ? 0 - token.integer : token.integer;
  advance();
  return true;
}

void Parser::skipLine() {
  do
    advance();
  while (token.kind != Token::End && !token.isFirstOfLine);
}

bool Parser::skipPast(char c) {
  while (token.kind != Token::End && !token.is(c))
    advance();
  return expect(c);
}

bool Parser::skipBraces() {
  unsigned depth = 0;
  do {
    if (token.kind == Token::End)
      return error(token, "expected '}', got the end of the text");
    depth += token.is('{');
    depth -= token.is('}');
    advance();
  } while (depth != 0);
  return true;
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

std::optional<Module> Parser::parse() {
  while (token.kind != Token::End)
    if (!topLevel())
      return std::nullopt;
  return std::move(module);
}

bool Parser::topLevel() {
  if (token.kind != Token::Dotted)
    return error(token, "expected a directive, got " + shown());
  llvm::StringRef name = token.text;
  if (name == "version" || name == "target" || name == "address_size" ||
      name == "file" || name == "loc") {
    skipLine();
    return true;
  }
  if (name == "section") {
    while (token.kind != Token::End && !token.is('{'))
      advance();
    return skipBraces();
  }
  if (name == "pragma")
    return skipPast(';');
  bool isExtern = false;
  while (token.kind == Token::Dotted &&
         (token.text == "visible" || token.text == "extern" ||
          token.text == "weak" || token.text == "common")) {
    isExtern |= token.text == "extern";
    advance();
  }
  if (acceptDotted("entry"))
    return entry();
  if (acceptDotted("func")) {
    // A function that is called is refused at the call.
    while (token.kind != Token::End && !token.is('{') && !token.is(';'))
      advance();
    return token.is('{') ? skipBraces() : expect(';');
  }
  for (llvm::StringRef space : {"shared", "global", "const"})
    if (acceptDotted(space)) {
      if (isExtern && space != "shared")
        return error(token, "expected a variable that is defined here");
      kernel.sharedBytes = moduleShared;
      if (!variable(space, globals))
        return false;
      moduleShared = kernel.sharedBytes;
      return true;
    }
  return error(
      token,
      "expected '.entry', '.func', '.global', '.const' or '.shared', got " +
          shown());
}

/// A variable after its space: `.align 4 .b8 name[4224];`
bool Parser::variable(llvm::StringRef space, llvm::StringMap<Symbol> &symbols) {
  uint64_t alignment = 0, count = 1;
  Type type;
  bool isOpen = false;
  while (token.kind == Token::Dotted) {
    if (acceptDotted("align")) {
      if (!integer(alignment))
        return false;
    } else if (acceptDotted("attribute")) {
      if (!skipPast(')'))
        return false;
    } else {
      type = typeOf(token.text);
      if (type.kind == Type::None || type.kind == Type::Predicate)
        return error(token, "expected a type, got " + shown());
      advance();
    }
  }
  if (type.kind == Type::None)
    return error(token, "expected a type, got " + shown());
  Token name = token;
  if (name.kind != Token::Word)
    return error(token, "expected a name, got " + shown());
  advance();
  while (accept('[')) {
    if (accept(']')) {
      isOpen = true;
      continue;
    }
    uint64_t extent = 0;
    if (!integer(extent) || !expect(']'))
      return false;
    count = llvm::SaturatingMultiply(count, extent);
  }
  uint64_t bytes = llvm::SaturatingMultiply(count, uint64_t(type.bytes()));
  if (alignment == 0)
    alignment = type.bytes();
  if (!llvm::isPowerOf2_64(alignment) || alignment > 4096)
    return error(name,
                 "expected an alignment that is a power of two up to 4096");
  if (bytes > kMostVariableBytes)
    return error(name, "expected a variable of at most 64 MiB");
  if (symbols.contains(name.text))
    return error(name, "expected one variable of this name");
  Symbol &symbol = symbols[name.text];
  if (space == "global" || space == "const") {
    GlobalVariable global = {name.text.str(), {}, 0};
    if (accept('=') && !initializer(global.bytes, type.bytes()))
      return false;
    if (isOpen)
      bytes = global.bytes.size();
    if (global.bytes.size() > bytes)
      return error(name,
                   "expected at most " + llvm::Twine(count) + " elements");
    global.bytes.resize(bytes);
    uint64_t next = kGlobalWindow;
    if (!module.globals.empty())
      next = module.globals.back().address + module.globals.back().bytes.size();
    global.address = symbol.address =
        llvm::alignTo(next + 1, std::max<uint64_t>(alignment, 256));
    module.globals.push_back(std::move(global));
    return expect(';');
  }
  if (space == "local") {
    kernel.localBytes = llvm::alignTo(kernel.localBytes, alignment);
    symbol.address = kernel.localBytes;
    kernel.localBytes += bytes;
    if (kernel.localBytes > (1 << 16))
      return error(name, "expected at most 64 KiB of local memory");
  } else if (isOpen) {
    symbol.kind = Symbol::DynamicShared;
    symbol.address = alignment;
  } else if (isDynamicSharedPlaced) {
    return error(
        name,
        "expected variables before the use of memory that the launch sizes");
  } else {
    kernel.sharedBytes = llvm::alignTo(kernel.sharedBytes, alignment);
    symbol.address = kernel.sharedBytes;
    kernel.sharedBytes += bytes;
    if (kernel.sharedBytes > 227 * 1024)
      return error(name, "expected at most 227 KiB of shared memory");
  }
  return expect(';');
}

bool Parser::initializer(std::vector<uint8_t> &bytes, unsigned elementBytes) {
  unsigned depth = 0;
  do {
    if (accept('{')) {
      ++depth;
      continue;
    }
    if (accept('}')) {
      if (depth == 0)
        return error(token, "expected ';'");
      --depth;
    } else {
      uint64_t value = 0;
      if (token.kind == Token::Float32 || token.kind == Token::Float64) {
        value = token.integer;
        advance();
      } else if (!integer(value)) {
        return false;
      }
      for (unsigned byte = 0; byte < elementBytes; ++byte)
        bytes.push_back(uint8_t(byte < 8 ? value >> (8 * byte) : 0));
      if (bytes.size() > kMostVariableBytes)
        return error(token, "expected a variable of at most 64 MiB");
    }
    if (depth != 0 && !token.is('}') && !expect(','))
      return false;
  } while (depth != 0);
  return true;
}

bool Parser::parameters() {
  if (!accept('('))
    return true;
  while (!accept(')')) {
    if (!kernel.parameters.empty() && !expect(','))
      return false;
    if (!acceptDotted("param"))
      return error(token, "expected '.param', got " + shown());
    Type type;
    uint64_t alignment = 0, count = 1;
    while (token.kind == Token::Dotted) {
      if (acceptDotted("align")) {
        // Behind `.ptr` it is that of what the pointer points to.
        uint64_t value = 0;
        if (!integer(value))
          return false;
        alignment = type.kind == Type::None ? value : alignment;
        continue;
      }
      Type found = typeOf(token.text);
      if (found.kind != Type::None && found.bits >= 8)
        type = found;
      else if (token.text != "ptr" && token.text != "global" &&
               token.text != "const" && token.text != "shared" &&
               token.text != "local")
        return error(token, "expected a type, got " + shown());
      advance();
    }
    Token name = token;
    if (type.kind == Type::None || name.kind != Token::Word)
      return error(token, "expected a type and a name, got " + shown());
    advance();
    if (accept('[') && (!integer(count) || !expect(']')))
      return false;
    uint64_t bytes = llvm::SaturatingMultiply(count, uint64_t(type.bytes()));
    if (alignment == 0)
      alignment = type.bytes();
    if (!llvm::isPowerOf2_64(alignment) || alignment > 4096 || bytes > 4096 ||
        kernel.parameterBytes > 32764)
      return error(name, "expected parameters of at most 32764 bytes");
    if (locals.contains(name.text))
      return error(name, "expected one parameter of this name");
    kernel.parameterBytes = llvm::alignTo(kernel.parameterBytes, alignment);
    Symbol &symbol = locals[name.text];
    symbol.kind = Symbol::Parameter;
    symbol.address = kernel.parameterBytes;
    symbol.parameter = kernel.parameters.size();
    kernel.parameters.push_back(
        {name.text.str(), kernel.parameterBytes, uint32_t(bytes)});
    kernel.parameterBytes += bytes;
  }
  return true;
}

bool Parser::launchBounds() {
  while (token.kind == Token::Dotted) {
    bool isRequired = token.text == "reqntid";
    if (!isRequired && token.text != "maxntid" &&
        token.text != "minnctapersm" && token.text != "maxnreg" &&
        token.text != "maxnctapersm" && token.text != "pragma")
      return error(token, "unknown directive " +
                              quote(("." + token.text).str()) + " of a kernel");
    bool isPragma = token.text == "pragma";
    advance();
    if (isPragma) {
      if (!skipPast(';'))
        return false;
      continue;
    }
    uint64_t values[3] = {1, 1, 1};
    for (unsigned dim = 0; dim < 3; ++dim) {
      if (dim != 0 && !accept(','))
        break;
      if (!integer(values[dim]))
        return false;
      if (isRequired && (values[dim] == 0 || values[dim] > 1024))
        return error(token, "expected 1 to 1024 threads");
    }
    if (isRequired)
      kernel.block = {uint32_t(values[0]), uint32_t(values[1]),
                      uint32_t(values[2])};
  }
  return true;
}

bool Parser::entry() {
  kernel = Kernel();
  kernel.sharedBytes = moduleShared;
  isDynamicSharedPlaced = false;
  locals.clear();
  scopes.assign(1, {});
  scope = 0;
  jumps.clear();
  constants.clear();
  specials.clear();
  if (token.kind != Token::Word)
    return error(token, "expected the name of a kernel, got " + shown());
  Token name = token;
  kernel.name = name.text.str();
  advance();
  if (module.find(kernel.name))
    return error(name, "expected one kernel of this name");
  if (!parameters() || !launchBounds())
    return false;
  kernel.isParameterUsed.resize(kernel.parameters.size());
  if (accept(';'))
    return true; // declared only
  if (!expect('{') || !body() || !bindJumps())
    return false;
  findReconvergence(kernel);
  module.kernels.push_back(std::move(kernel));
  return true;
}

bool Parser::registers() {
  Type type = token.kind == Token::Dotted ? typeOf(token.text) : Type();
  if (type.kind == Type::None ||
      (type.bits == 8 && type.kind != Type::Predicate))
    return error(token, "expected the type of a register, got " + shown());
  advance();
  auto bytes = uint8_t(std::max(2u, type.bytes()));
  bool isPredicate = type.kind == Type::Predicate;
  do {
    Token name = token;
    if (name.kind != Token::Word)
      return error(token, "expected the name of a register, got " + shown());
    advance();
    if (accept('<')) {
      RegisterRange family = {0, bytes, isPredicate};
      if (!integer(family.count) || !expect('>'))
        return false;
      scopes[scope].families[name.text] = family;
    } else {
      scopes[scope].registers[name.text] = {allocate(bytes, isPredicate), bytes,
                                            isPredicate};
    }
  } while (accept(','));
  return expect(';');
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// A place in the register file, or the index of a predicate.
Slot Parser::allocate(unsigned bytes, bool isPredicate) {
  if (isPredicate)
    return kernel.predicates++;
  Slot slot = kernel.registerBytes;
  kernel.registerBytes += 32 * bytes;
  return slot;
}

std::optional<Register> Parser::findRegister(llvm::StringRef name) {
  for (size_t at = scope;; at = scopes[at].parent) {
    Scope &here = scopes[at];
    if (auto found = here.registers.find(name); found != here.registers.end())
      return found->second;
    llvm::StringRef prefix = name.rtrim("0123456789");
    uint64_t number;
    auto family = here.families.find(prefix);
    if (family != here.families.end() &&
        !name.drop_front(prefix.size()).getAsInteger(10, number) &&
        number < family->second.count) {
      Register reg = {
          allocate(family->second.bytes, family->second.isPredicate),
          family->second.bytes, family->second.isPredicate};
      here.registers[name] = reg;
      return reg;
    }
    if (at == 0)
      return std::nullopt;
  }
}

uint64_t Parser::addressOf(const Symbol &symbol) {
  if (symbol.kind != Symbol::DynamicShared)
    return symbol.address;
  kernel.sharedBytes = llvm::alignTo(kernel.sharedBytes, symbol.address);
  isDynamicSharedPlaced = true;
  return kernel.sharedBytes;
}

Slot Parser::special(unsigned index) {
  auto [place, isNew] = specials.try_emplace(index, 0);
  if (isNew) {
    place->second = allocate(4, false);
    kernel.specials.push_back({index, place->second});
  }
  return place->second;
}

bool Parser::body() {
  unsigned depth = 1;
  while (depth != 0) {
    if (kernel.registerBytes > kMostRegisterBytes)
      return error(token, "expected fewer registers");
    if (token.kind == Token::End)
      return error(token, "expected '}', got the end of the text");
    if (accept('{')) {
      scopes.emplace_back();
      scopes.back().parent = scope;
      scope = scopes.size() - 1;
      ++depth;
      continue;
    }
    if (accept('}')) {
      scope = scopes[scope].parent;
      --depth;
      continue;
    }
    if (accept(';'))
      continue;
    if (token.kind == Token::Dotted) {
      llvm::StringRef name = token.text;
      if (name == "loc" || name == "file") {
        skipLine();
        continue;
      }
      if (name == "pragma") {
        if (!skipPast(';'))
          return false;
        continue;
      }
      bool isGood;
      if (acceptDotted("reg"))
        isGood = registers();
      else if (acceptDotted("shared"))
        isGood = variable("shared", locals);
      else if (acceptDotted("local"))
        isGood = variable("local", locals);
      else
        isGood = error(token, "unknown directive " + quote(("." + name).str()));
      if (!isGood)
        return false;
      continue;
    }
    if (!statement())
      return false;
  }
  return true;
}

bool Parser::guard(Statement &s) {
  if (!accept('@'))
    return true;
  s.hasGuard = true;
  s.guardIsNegated = accept('!');
  std::optional<Register> reg = findRegister(token.text);
  if (token.kind != Token::Word || !reg || !reg->isPredicate)
    return error(token, "expected a predicate, got " + shown());
  s.guard = *reg;
  advance();
  return true;
}

/// Instructions that need more than one block, or another unit than those of a warp.
static bool isRefused(llvm::ArrayRef<llvm::StringRef> parts) {
  if (parts[0] == "cp")
    return llvm::is_contained(parts, "bulk");
  return llvm::is_contained({"call", "brx", "wgmma", "mbarrier", "tensormap",
                             "mapa", "tex", "tld4", "suld", "sust", "sured",
                             "trap", "brkpt", "tcgen05", "setmaxnreg", "alloca",
                             "multimem", "clusterlaunchcontrol"},
                            parts[0]);
}

bool Parser::statement() {
  Statement s;
  s.begin = token.begin;
  if (!guard(s))
    return false;
  if (token.kind != Token::Word)
    return error(token, "expected an instruction, got " + shown());
  Token first = token;
  s.parts.push_back(token.text);
  s.opcodeEnd = token.end;
  advance();
  if (token.is(':') && !s.hasGuard && s.parts.size() == 1) {
    advance();
    if (!scopes[scope]
             .labels.try_emplace(first.text, kernel.code.size())
             .second)
      return error(first, "expected one label of this name");
    return true;
  }
  while (token.kind == Token::Dotted && token.isGlued) {
    s.parts.push_back(token.text);
    s.opcodeEnd = token.end;
    advance();
  }
  if (isRefused(s.parts)) {
    (void)diagnostics.error({&text, first.begin, s.opcodeEnd},
                            quote(llvm::join(s.parts, ".")) +
                                " is not supported");
    return false;
  }
  if (s.parts.size() > 24)
    return error(first, "expected an instruction of fewer parts");
  while (!token.is(';')) {
    if (!s.operands.empty() && !expect(','))
      return false;
    s.operands.emplace_back();
    if (!operand(s.operands.back(), 0))
      return false;
    if (s.operands.size() > 64)
      return error(token, "expected fewer operands");
  }
  s.end = token.end;
  advance();
  return decode(s);
}

bool Parser::operand(Operand &result, unsigned depth) {
  result.begin = token.begin;
  bool isGood;
  if (token.is('{'))
    isGood = vectorOperand(result, depth);
  else if (token.is('['))
    isGood = addressOperand(result);
  else
    isGood = simpleOperand(result);
  if (!isGood)
    return false;
  if (accept('|')) {
    result.second.emplace_back();
    if (!simpleOperand(result.second[0]))
      return false;
  }
  return true;
}

bool Parser::vectorOperand(Operand &result, unsigned depth) {
  advance();
  result.kind = Operand::Vector;
  if (depth > 0)
    return error(token, "expected a register, got " + shown());
  do {
    result.elements.emplace_back();
    if (result.elements.size() > 256)
      return error(token, "expected fewer registers");
    if (!operand(result.elements.back(), depth + 1))
      return false;
  } while (accept(','));
  result.end = token.end;
  return expect('}');
}

bool Parser::simpleOperand(Operand &result) {
  result.begin = token.begin;
  result.end = token.end;
  if (accept('!'))
    result.isNegated = true;
  bool isNegative = accept('-');
  Token here = token;
  result.end = here.end;
  if (here.kind == Token::Integer || here.kind == Token::Float32 ||
      here.kind == Token::Float64) {
    result.kind = Operand::Number;
    result.integer = here.integer;
    if (here.kind != Token::Integer)
      result.numberBytes = here.kind == Token::Float32 ? 4 : 8;
    if (isNegative)
      result.integer = here.kind == Token::Integer ? 0 - here.integer
                       : here.kind == Token::Float32
                           ? here.integer ^ 0x80000000u
                           : here.integer ^ (uint64_t(1) << 63);
    advance();
    return true;
  }
  if (here.kind != Token::Word || isNegative)
    return error(token, "expected an operand, got " + shown());
  advance();
  if (here.text == "_") {
    result.kind = Operand::Sink;
    return true;
  }
  if (std::optional<Register> reg = findRegister(here.text)) {
    result.kind = Operand::RegisterOperand;
    result.reg = *reg;
    return true;
  }
  if (here.text.starts_with("%")) {
    std::string name = here.text.str();
    if (token.kind == Token::Dotted && token.isGlued) {
      name += "." + token.text.str();
      result.end = token.end;
      advance();
    }
    for (auto [index, row] : llvm::enumerate(kSpecialRegisters))
      if (row.name == name) {
        result.kind = Operand::RegisterOperand;
        result.reg = {special(index), 4, false};
        return true;
      }
    (void)diagnostics.error({&text, here.begin, result.end},
                            "unknown register " + quote(name));
    return false;
  }
  result.kind = Operand::Symbol;
  for (const llvm::StringMap<Symbol> *symbols : {&locals, &globals})
    if (auto found = symbols->find(here.text); found != symbols->end()) {
      if (found->second.kind == Symbol::Parameter)
        break;
      result.integer = addressOf(found->second);
      if (accept('+')) {
        uint64_t offset = 0;
        if (!integer(offset))
          return false;
        result.integer += offset;
      }
      return true;
    }
  result.name = here.text; // a label or a function
  return true;
}

bool Parser::addressOperand(Operand &result) {
  advance();
  result.kind = Operand::Address;
  Token here = token;
  if (here.kind == Token::Integer) {
    result.integer = here.integer;
    advance();
  } else if (here.kind == Token::Word) {
    advance();
    if (std::optional<Register> reg = findRegister(here.text)) {
      result.hasRegister = true;
      result.reg = *reg;
    } else {
      auto found = locals.find(here.text);
      if (found == locals.end() &&
          (found = globals.find(here.text)) == globals.end())
        return error(here, "unknown variable " + quote(here.text));
      result.integer = addressOf(found->second);
      if (found->second.kind == Symbol::Parameter) {
        result.name = here.text;
        kernel.isParameterUsed[found->second.parameter] = true;
      }
    }
  } else {
    return error(token, "expected an address, got " + shown());
  }
  if (accept('+') || token.is('-')) {
    uint64_t offset = 0;
    if (!integer(offset))
      return false;
    result.integer += offset;
  }
  result.end = token.end;
  return expect(']');
}

bool Parser::decode(const Statement &s) {
  Decoder d(kernel, constants, s, text, diagnostics);
  static constexpr Family kFamilies[] = {
      decodeMemory,  decodeInteger, decodeFloat,  decodeHalf, decodeMove,
      decodeCompare, decodeConvert, decodeAtomic, decodeWarp, decodeMatrix};
  if (!decodeControl(s, d) &&
      !llvm::any_of(kFamilies, [&](Family family) { return family(d); })) {
    (void)d.fail("unknown instruction " + quote(llvm::join(s.parts, ".")));
  }
  if (d.hasFailed())
    return false;
  kernel.code.push_back(d.out);
  return true;
}

/// bra, ret, exit, bar and what does nothing here.
bool Parser::decodeControl(const Statement &s, Decoder &d) {
  llvm::StringRef base = d.base();
  auto nothing = [](Machine &, const Instruction &, uint32_t) {};
  if (base == "bra") {
    d.take("uni");
    const Operand *target = d.takeOperand();
    if (!target)
      return true;
    if (target->kind != Operand::Symbol || target->name.empty())
      return d.failAt(*target, "expected a label");
    jumps.push_back({uint32_t(kernel.code.size()), target->name, scope,
                     target->begin, target->end});
    d.out.control = Control::Branch;
    return d.done(Unit::Control, nullptr);
  }
  if (base == "ret" || base == "exit") {
    d.out.control = Control::Return;
    return d.done(Unit::Control, nullptr);
  }
  if (base == "bar" || base == "barrier") {
    if (d.take("warp"))
      return false; // see decodeWarp
    d.take("cta");
    d.take("aligned");
    if (!d.take("sync"))
      return d.fail("expected '.sync': other barriers are not supported");
    d.out.control = Control::Barrier;
    d.out.a = d.value(4);
    if (d.hasOperand())
      d.out.b = d.value(4);
    return d.done(Unit::Control, nullptr);
  }
  // Order in memory, hints and the launch of the next kernel: the warps of one launch
  // run in order, and launches one after the other.
  if (base == "griddepcontrol" || base == "fence" || base == "membar" ||
      base == "nanosleep" || base == "prefetch" || base == "discard") {
    if (base == "fence" && s.parts.size() > 1 && s.parts[1] == "mbarrier_init")
      return false;
    for (llvm::StringRef part : llvm::drop_begin(s.parts))
      d.take(part);
    while (d.hasOperand())
      (void)d.takeOperand();
    return d.done(Unit::Control, nothing);
  }
  return false;
}

bool Parser::bindJumps() {
  for (const Jump &jump : jumps) {
    size_t at = jump.scope;
    while (true) {
      if (auto found = scopes[at].labels.find(jump.label);
          found != scopes[at].labels.end()) {
        kernel.code[jump.instruction].target = found->second;
        break;
      }
      if (at == 0) {
        (void)diagnostics.error({&text, jump.begin, jump.end},
                                "unknown label " + quote(jump.label));
        return false;
      }
      at = scopes[at].parent;
    }
  }
  return true;
}

std::optional<Module> parse(const SourceBuffer &text,
                            DiagnosticEngine &diagnostics) {
  return Parser(text, diagnostics).parse();
}

} // namespace mercator::reference::ptx

import { parseSync } from 'oxc-parser'
import { conditionsIn } from './conditions.ts'

/** The ways a place can be broken. */
export const kinds = [
  'comparison',
  'bound',
  'arithmetic',
  'logical',
  'refusal',
  'await',
  'deed',
  'swap',
  'constant',
  'ternary',
  'condition',
] as const
export type Kind = (typeof kinds)[number]

/** One place and what it becomes. */
export interface Break {
  kind: Kind
  start: number
  end: number
  instead: string
  /** The expression it is part of, to be read: of an operator alone nobody sees what it does. */
  of: { start: number; end: number }
}

/** A node of the syntax tree; which fields it has follows from its type. */
interface Any {
  type: string
  start: number
  end: number
  [field: string]: any
}

/** Calls that refuse: what they are given is the wording of a refusal. */
const refuses = /^(?:\w+\.)*(?:fail\w*|refus\w*|atField|new [\w.]*(?:Error|Failure|Refusal|Refused))$/
/** Calls that only tell people or machines what happened, or how far it is. */
const tells =
  /(?:^|\.)(?:audit|log|logger|warn|debug|info|error|say|words?Of|word|wordIfAny|tell|progress|trace)$|^console\./
/** Their order says nothing, or a wrong one is no other result. */
const commutes =
  /^(?:Math\.(?:max|min|abs|hypot)|sum|Promise\.\w+|Object\.is|[\w.]*\.(?:push|add|concat|unshift|has|equals))$/
/** Statements that only make others wait: what they guard against needs two callers at the same moment. */
const waits = /\bfor (?:no key )?(?:update|share)\b|advisory_xact_lock|\block table\b|\bset local\b/
/** What these leave open in a `finally` only a process that runs for long would miss. */
const frees = /\.(?:close|release|destroy|terminate)$/
/** A refusal that arrives late is a refusal that did not happen. */
const guards = /(?:^|\.)(?:check|refuse|assert|may|must|need|guard|throttle|verify)[A-Z]?\w*$/
/** What these hold is read by people, or limits only how often or how fast something is done. */
const quietKeys =
  /^(?:summary|about|description|details|title|label|message|reason|example|examples|hint|icon|order|menu|version|lock|poll|logLevel|timeout|throttle|every|cache)$/
/** Arguments that every function takes first; another order is a crash and no rule. */
const surroundings = /^(?:ctx|tx|app|db|inside|world|sql|given|this)$/

const bounds: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const turned: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
}
const sums: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }

const plain = (node: Any): Any =>
  node.type === 'ParenthesizedExpression' ||
  node.type === 'TSAsExpression' ||
  node.type === 'TSNonNullExpression' ||
  node.type === 'TSSatisfiesExpression'
    ? plain(node.expression)
    : node

/** Whether an operand is text: what is joined there cannot be taken away from. */
const isText = (given: Any): boolean => {
  const node = plain(given)
  if (node.type === 'TemplateLiteral') return true
  if (node.type === 'Literal') return typeof node.value === 'string'
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && (isText(node.left) || isText(node.right))
  if (node.type === 'ConditionalExpression') return isText(node.consequent) || isText(node.alternate)
  if (node.type === 'LogicalExpression') return isText(node.left) || isText(node.right)
  if (node.type === 'CallExpression') {
    const callee = plain(node.callee)
    const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name
    return /^(?:String|join|slice|trim\w*|padStart|padEnd|repeat|replace\w*|to\w*String|toFixed|say|t|at|charAt)$/.test(
      String(name),
    )
  }
  return false
}

const isSimple = (given: Any): boolean => {
  const node = plain(given)
  return (
    (node.type === 'Identifier' && !surroundings.test(node.name)) ||
    (node.type === 'MemberExpression' && !node.computed) ||
    (node.type === 'Literal' && typeof node.value === 'number')
  )
}

const isCount = (given: Any): boolean => {
  const node = plain(given)
  return node.type === 'MemberExpression' && /^(?:length|size)$/.test(String(node.property.name))
}

const isFunction = ({ type }: Any): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'

export interface Asked {
  /** Only what is inside a function: beside it the file describes, and what it describes is walked elsewhere. */
  insideFunctions?: boolean
}

/** Every way this source can be broken, in the order of its places. What does nothing by construction is no way. */
export function breaksOf(file: string, code: string, { insideFunctions = false }: Asked = {}): Break[] {
  const { program, errors } = parseSync(file, code)
  if (errors.length) throw new Error(`${file}: ${errors[0]!.message}`)
  const found: Break[] = []
  const text = (node: Any): string => code.slice(node.start, node.end)
  const add = (
    kind: Kind,
    { start, end }: { start: number; end: number },
    instead: string,
    of: { start: number; end: number } = { start, end },
  ) => {
    if (code.slice(start, end) !== instead)
      found.push({ kind, start, end, instead, of: { start: of.start, end: of.end } })
  }
  const calleeOf = (node: Any): string =>
    node.type === 'NewExpression' ? `new ${text(node.callee)}` : text(node.callee).replaceAll('?.', '.')
  const isRefusal = (node: Any): boolean => {
    if (node.type === 'BlockStatement') return node.body.length === 1 && isRefusal(node.body[0])
    if (node.type === 'ThrowStatement') return true
    const said =
      node.type === 'ExpressionStatement' || node.type === 'ReturnStatement'
        ? plain(node.expression ?? node.argument ?? node)
        : node
    return (said.type === 'CallExpression' || said.type === 'NewExpression') && refuses.test(calleeOf(said))
  }
  /** `a < b ? a : b` is the same with `<=`. */
  const picksOperand = (parents: readonly Any[], node: Any): boolean =>
    parents.some(
      (one) =>
        one.type === 'ConditionalExpression' &&
        node.end <= one.test.end &&
        [text(one.consequent), text(one.alternate)].toSorted().join() ===
          [text(node.left), text(node.right)].toSorted().join(),
    )
  /** A key that is not given finds nothing in a map. */
  const looksUp = (given: Any, key: Any): boolean => {
    const node = plain(given)
    return (
      node.type === 'CallExpression' &&
      node.arguments.length === 1 &&
      calleeOf(node).endsWith('.get') &&
      text(plain(node.arguments[0])) === text(plain(key))
    )
  }
  /** What is done in a `finally`, however the work before it ended. */
  const isCleanup = (parents: readonly Any[], node: Any): boolean =>
    parents.some((one) => one.type === 'TryStatement' && one.finalizer && node.start >= one.finalizer.start)
  /** Functions of this file by which of their parameters they lock rows. */
  const locks = new Map(
    [...code.matchAll(/(?:function (\w+)|const (\w+) = (?:async )?)\(([^()]*)\)/g)].flatMap(
      ([, declared, assigned, list]): [string, number][] => {
        const at = list!.split(',').findIndex((one) => /^\s*lock\b/.test(one))
        return at < 0 ? [] : [[(declared ?? assigned)!, at]]
      },
    ),
  )
  /** Whether rows are locked is noticed by a second caller at the same moment alone. */
  const isLock = (node: Any, parent: Any | undefined): boolean =>
    parent?.type === 'CallExpression' && locks.get(calleeOf(parent)) === parent.arguments.indexOf(node)
  /** How long ago something was by the machine's clock: only what saves or spreads work asks for it. */
  const isClock = (node: Any): boolean => /\b(?:Date|performance)\.now\(\)/.test(text(node))

  function visit(node: Any, parents: readonly Any[], isInside: boolean) {
    if (node.type.startsWith('TS') && plain(node) === node) return
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return
    if (plain(node) !== node && node.expression) return visit(node.expression, parents, isInside)
    const parent = parents.at(-1)
    const inside = isInside || isFunction(node)
    if (inside || !insideFunctions) breakHere(node, parent, parents)
    // How a refusal is worded is no rule.
    if (node.type === 'ThrowStatement') return
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const callee = calleeOf(node)
      if (refuses.test(callee) || tells.test(callee)) return
      if (/(?:^|\.)throttle$|^new (?:WorkerPool|Resolver|Pool)|^set(?:Timeout|Interval)$/.test(callee)) return
    }
    if (node.type === 'Property' && quietKeys.test(String(node.key?.name ?? node.key?.value))) return
    if (node.type === 'AssignmentPattern' && quietKeys.test(String(node.left.name))) return
    for (const [key, child] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters') continue
      if (key === 'typeArguments' || key === 'superTypeArguments' || key === 'quasis') continue
      if (key === 'key' && !node.computed) continue
      for (const one of Array.isArray(child) ? child : [child])
        if (one && typeof one === 'object' && typeof one.type === 'string')
          visit(one as Any, [...parents, node], inside)
    }
  }

  function breakHere(node: Any, parent: Any | undefined, parents: readonly Any[]) {
    switch (node.type) {
      case 'BinaryExpression': {
        const { operator, left, right } = node
        if (isClock(node)) break
        const between = { start: left.end, end: right.start }
        const put = (by: string) => code.slice(left.end, right.start).replace(operator, () => by)
        // Which of two equals comes first is nobody's rule.
        const isSorting = parents.some(
          (one) => one.type === 'CallExpression' && /\.(?:toSorted|sort)$/.test(calleeOf(one)),
        )
        if (bounds[operator] && !isSorting && !picksOperand(parents, node))
          add('bound', between, put(bounds[operator]!), node)
        if (turned[operator]) add('comparison', between, put(turned[operator]!), node)
        if (sums[operator] && !isText(node)) add('arithmetic', between, put(sums[operator]!), node)
        if ((operator === '-' || operator === '/' || operator === '%') && text(left) !== text(right))
          add('swap', node, `(${text(right)}) ${operator} (${text(left)})`)
        break
      }
      case 'LogicalExpression': {
        const { operator, left, right } = node
        if (operator === '??') break
        add('logical', node, `((${text(left)}) ${operator === '&&' ? '||' : '&&'} (${text(right)}))`)
        // Whether there is anything to ask about only saves the asking.
        if (!isCount(right)) add('logical', node, `(${text(left)})`)
        if (!isCount(left) && !(operator === '&&' && looksUp(right, left)))
          add('logical', node, `(${text(right)})`)
        break
      }
      case 'UnaryExpression':
        // Twice is only a change of type.
        if (node.operator === '!' && parent?.operator !== '!' && node.argument.operator !== '!')
          add('logical', node, `(${text(node.argument)})`)
        if (node.operator === '-') add('arithmetic', node, `(${text(node.argument)})`)
        break
      case 'IfStatement':
        if (!node.alternate && isRefusal(node.consequent)) add('refusal', node, '{}')
        break
      case 'ExpressionStatement': {
        const call = plain(node.expression)
        if (call.type !== 'AwaitExpression') break
        const argument = plain(call.argument)
        if (argument.type !== 'CallExpression') break
        const callee = calleeOf(argument)
        if (tells.test(callee) || waits.test(callee)) break
        if (frees.test(callee) && isCleanup(parents, node)) break
        if (guards.test(callee)) add('await', node, `void ${text(call.argument)}`)
        add('deed', node, '{}')
        break
      }
      case 'ConditionalExpression': {
        const { test, consequent, alternate } = node
        if (text(consequent) !== text(alternate) && !waits.test(text(node)))
          add('ternary', node, `${text(test)} ? ${text(alternate)} : ${text(consequent)}`)
        break
      }
      case 'CallExpression': {
        const callee = calleeOf(node)
        if (refuses.test(callee) || tells.test(callee) || commutes.test(callee)) break
        const given = node.arguments as Any[]
        for (let n = 0; n + 1 < given.length && given.length < 5; n++) {
          const [one, other] = [given[n]!, given[n + 1]!]
          if (!isSimple(one) || !isSimple(other) || text(one) === text(other)) continue
          const apart = code.slice(one.end, other.start)
          add('swap', { start: one.start, end: other.end }, `${text(other)}${apart}${text(one)}`, node)
        }
        break
      }
      case 'Literal': {
        if (parent?.type === 'MemberExpression' || parent?.type === 'SwitchCase' || isLock(node, parent))
          break
        const other = { '0': '1', '1': '0', true: 'false', false: 'true' }[String(node.raw)]
        if (other !== undefined) add('constant', node, other, parent)
        break
      }
      case 'TaggedTemplateExpression': {
        if (text(node.tag) !== 'sql' && !/^sql\b/.test(text(node.tag))) break
        if (text(node.tag).startsWith('sql.')) break
        const { start, end } = node.quasi
        const holes = (node.quasi.expressions as Any[]).map((one) => ({
          // With its dollar and braces.
          start: code.lastIndexOf('${', one.start),
          end: code.indexOf('}', one.end) + 1,
          text: text(one),
        }))
        for (const one of conditionsIn(code.slice(start, end), start, holes))
          add('condition', one, one.instead)
        break
      }
      default:
    }
  }

  visit(program as unknown as Any, [], false)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

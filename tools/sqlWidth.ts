import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from '#kit/server/settings.ts'

/** The width that `.oxfmtrc.json` sets for code. The formatter does not reformat SQL inside templates, so this does. */
const width = (JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as { printWidth: number })
  .printWidth

const clause =
  /^(?:select|from|where|(?:left |right |inner |cross |full )?join|group by|order by|having|union|values|returning|set|limit|on conflict|insert into|update|delete from|with|window|for update|except|intersect)\b/i
const logic = /^(?:and|or|on|when|else)\b/i

interface Gap {
  /** Start of the whitespace and of the text behind it, as offsets into the source. */
  from: number
  to: number
  depth: number
  rank: number
}

/** Every whitespace of a template at which a line may be broken: outside strings, quoted names, comments and `${…}`. */
function placeholdersOf(source: string, quasis: { start: number; end: number }[]): Gap[] {
  const gaps: Gap[] = []
  let depth = 0
  let quote = ''
  let isComment = false
  for (const { start, end } of quasis) {
    for (let i = start; i < end; i++) {
      const sign = source[i]!
      if (isComment) {
        if (sign === '\n') isComment = false
        continue
      }
      if (quote) {
        if (sign === quote) quote = ''
        continue
      }
      if (sign === "'" || sign === '"') quote = sign
      else if (sign === '-' && source[i + 1] === '-') isComment = true
      else if (sign === '(' || sign === '[') depth++
      else if (sign === ')' || sign === ']') depth--
      else if (sign === ' ') {
        let to = i
        while (to < end && source[to] === ' ') to++
        const rest = source.slice(to, to + 30)
        const before = source[i - 1]
        if (before !== '\n' && before !== ' ' && rest[0] !== '\n') {
          const rank = clause.test(rest) ? 0 : before === ',' ? 1 : logic.test(rest) ? 1 : 2
          gaps.push({ from: i, to, depth, rank })
        }
        i = to - 1
      }
    }
  }
  return gaps
}

/** The first overlong line of a template that can be broken, broken once; undefined when there is none. */
function brokenOnce(source: string): string | undefined {
  const lines: { from: number; to: number }[] = []
  for (let from = 0; from <= source.length;) {
    const end = source.indexOf('\n', from)
    const to = end < 0 ? source.length : end
    lines.push({ from, to })
    from = to + 1
  }
  const long = lines.filter(({ from, to }) => to - from > width)
  if (long.length === 0) return undefined
  const { program, errors } = parseSync('a.ts', source)
  if (errors.length > 0) return undefined
  const edits: { from: number; to: number; text: string }[] = []
  const done = new Set<number>()
  const look = (node: { start: number; end: number; quasis: { start: number; end: number }[] }) => {
    const here = long.filter(({ from, to }) => to > node.start && from < node.end && !done.has(from))
    if (here.length === 0) return
    const gaps = placeholdersOf(source, node.quasis)
    for (const line of here) {
      const possible = gaps.filter(
        ({ from, to }) => from > line.from && to < line.to && from - line.from <= width,
      )
      const indent = /^ */.exec(source.slice(line.from, line.to))![0].length
      const isFirst = line.from < node.start
      // A break this early would leave the line as long as it was.
      const useful = possible.filter(({ from }) => from - line.from > indent + 12)
      if (useful.length === 0) continue
      const cost = ({ depth, rank, from }: Gap) => depth * 30 + rank * 12 + (width - (from - line.from)) / 2.5
      const best = useful.reduce((a, b) => (cost(b) < cost(a) ? b : a))
      const inner = isFirst ? indent + 2 : indent
      const text = source.slice(line.from, line.to).trimStart()
      const deeper = best.rank === 0 || (!isFirst && !clause.test(text)) ? inner : inner + 2
      edits.push({ from: best.from, to: best.to, text: `\n${' '.repeat(deeper)}` })
      done.add(line.from)
    }
  }
  new Visitor({
    TaggedTemplateExpression(node) {
      if (/(?:^|\.)sql$/.test(source.slice(node.tag.start, node.tag.end))) look(node.quasi)
    },
  }).visit(program)
  if (edits.length === 0) return undefined
  let result = source
  for (const edit of edits.sort((a, b) => b.from - a.from))
    result = result.slice(0, edit.from) + edit.text + result.slice(edit.to)
  return result
}

/** Wraps the SQL of a source at the width of the code; whitespace between two words is all that changes. */
export function wrapSql(source: string): string {
  for (let next = brokenOnce(source); next !== undefined; next = brokenOnce(source)) source = next
  return source
}

const files = (): string[] =>
  execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'src/**/*.ts', 'tests/**/*.ts', 'tools/**/*.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter(Boolean)

/** Files in which an SQL template has a line that can be wrapped; with `write`, they are rewritten. */
export function overlongSql(write = false): string[] {
  const found: string[] = []
  for (const file of files()) {
    const path = join(root, file)
    const source = readFileSync(path, 'utf8')
    if (!source.includes('sql')) continue
    const wrapped = wrapSql(source)
    if (wrapped === source) continue
    if (write) writeFileSync(path, wrapped)
    else found.push(`${file}: SQL is wider than ${width} columns; run npm run format`)
  }
  return found
}

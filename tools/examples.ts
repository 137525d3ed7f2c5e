import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'

const page = join(root, 'EXAMPLES.md')

/** A code block whose text is taken from the file that the comment above it names, and where in it. */
const block = /<!-- from (\S+)(?: (?:#(\w+)|“([^”]+)”(?: … “([^”]+)”)?))? -->\n\n```(\w*)\n[\s\S]*?```/g

/**
 * What a page quotes of a file: the lines between `// example: <name>` and `// example end`, where a name may occur
 * several times; or, where a file may carry no marks (migrations), the line that holds a text, up to one that holds
 * another; or all of it.
 */
function quoted(path: string, name?: string, first?: string, last?: string): string {
  const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n')
  const shorn = (some: string[]): string => {
    const indent = Math.min(...some.filter(Boolean).map((line) => /^ */.exec(line)![0].length))
    return some.map((line) => line.slice(indent)).join('\n')
  }
  if (name) {
    const parts: string[] = []
    for (const [i, line] of lines.entries()) {
      if (line.trim() !== `// example: ${name}`) continue
      const end = lines.findIndex((other, j) => j > i && other.trim() === '// example end')
      if (end < 0) throw new Error(`${path}: the example ${name} has no end`)
      parts.push(lines.slice(i + 1, end).join('\n'))
    }
    if (parts.length === 0) throw new Error(`${path} has no example ${name}`)
    const indent = Math.min(...parts.map((part) => /^ */.exec(part)![0].length))
    return shorn(
      parts.flatMap((part, i) => [...(i > 0 ? [`${' '.repeat(indent)}…`] : []), ...part.split('\n')]),
    )
  }
  if (!first) return lines.join('\n')
  const from = lines.findIndex((line) => line.includes(first))
  const to = last ? lines.findIndex((line, i) => i >= from && line.includes(last)) : from
  if (from < 0 || to < 0) throw new Error(`${path} has no line with “${from < 0 ? first : last}”`)
  return shorn(lines.slice(from, to + 1))
}

const generated = (text: string): string =>
  text.replace(block, (whole, path: string, name?: string, first?: string, last?: string) => {
    const head = whole.slice(0, whole.indexOf('```'))
    const language = /```(\w*)/.exec(whole)![1]!
    return `${head}\`\`\`${language}\n${quoted(path, name, first, last)}\n\`\`\``
  })

/** Whether EXAMPLES.md quotes the sources as they are now, and quotes nothing else. */
export function checkExamples(): string[] {
  const text = readFileSync(page, 'utf8')
  try {
    const problems = generated(text) === text ? [] : ['EXAMPLES.md is outdated; run npm run examples']
    const blocks = text.split('\n```').length - 1
    if (blocks !== [...text.matchAll(block)].length * 2)
      problems.push('EXAMPLES.md has code without a source')
    return problems
  } catch (e) {
    return [`EXAMPLES.md: ${(e as Error).message}`]
  }
}

// `npm run examples` writes the quotations of EXAMPLES.md.
if (process.argv[1]?.endsWith('examples.ts')) writeFileSync(page, generated(readFileSync(page, 'utf8')))

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'DECISIONS.md',
  'GLOSSARY.md',
  'EXAMPLES.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'docs/asvs.md',
  'docs/security-rules.md',
  'docs/hold.md',
  'docs/scale.md',
]

/** Pages whose paths are checked; the others tell of files that may be gone. */
const checked = pages.filter(
  (page) => !['DECISIONS.md', 'GLOSSARY.md', 'CHANGELOG.md', 'LICENSE'].includes(page),
)

/**
 * The project's own pages exist, no path that one of them names in backticks is gone, and every requirement of ASVS has an
 * answer.
 */
export function checkPapers(): string[] {
  const problems = pages.filter((p) => !existsSync(join(root, p))).map((p) => `${p} is missing`)
  for (const page of checked) {
    if (!existsSync(join(root, page))) continue
    const text = readFileSync(join(root, page), 'utf8')
    for (const path of pathsIn(text))
      if (!existsSync(join(root, path))) problems.push(`${page} names ${path}, which is not there`)
    if (page === 'docs/asvs.md') problems.push(...unanswered(text).map((problem) => `${page}: ${problem}`))
  }
  return problems
}

/** A path with a star or a name in angle brackets is a pattern; its folder must be there. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|db|tests|tools|deploy|\.ci|public|docs)\/[\w./*-]+)`/g)].map(([, path]) =>
    path!.includes('*') ? path!.slice(0, path!.indexOf('*')).replace(/[^/]*$/, '') : path!,
  )

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const requirements = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

/** What the table of requirements lacks: each has a number of its own, and names a source or gives a reason. */
export function unanswered(text: string): string[] {
  const rows = [...text.matchAll(/^\| (\d+)\.(\d+\.\d+)\s*\| ([12])\s*\| (.+?)\s*\| (.*?)\s*\|$/gm)]
  const numbers = rows.map(([, chapter, rest]) => `${chapter}.${rest}`)
  const twice = numbers.filter((number, i) => numbers.indexOf(number) !== i)
  const short = requirements.flatMap((wanted, i) => {
    const found = new Set(rows.filter(([, chapter]) => Number(chapter) === i + 1).map(([, , rest]) => rest))
      .size
    return found === wanted ? [] : [`chapter ${i + 1} has ${found} requirements, not ${wanted}`]
  })
  const empty = rows
    .filter(([, , , , , met]) => !met || /\b(todo|open|tbd|later)\b\s*$/i.test(met) || met.length < 8)
    .map(([, chapter, rest]) => `${chapter}.${rest} has no answer`)
  return [...twice.map((number) => `${number} is there twice`), ...short, ...empty]
}

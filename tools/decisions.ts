import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { gonePaths } from './papers.ts'

const folder = join(root, 'docs/decisions')
const index = join(root, 'DECISIONS.md')

/** Longer pages describe behaviour, which belongs into comments and the help. */
const maxWords = 220

interface Decision {
  file: string
  title: string
  status: string
  date: string
  section: string
}

/** Reads a page of `docs/decisions`; throws what it lacks. */
export function readDecision(file: string, text: string): Decision {
  const head =
    /^# (.+)\n\n(Accepted|Superseded by \d{4}) (\d{4}-\d{2}-\d{2}) · (.+)\n\n[\s\S]+\n\n\*\*Given up:\*\* \S/.exec(
      text,
    )
  if (!/^\d{4}-[a-z0-9-]+\.md$/.test(file)) throw new Error('is not named NNNN-title.md')
  if (!head) throw new Error('needs a title, status, date and section, a reason, and what was given up')
  const words = text.split(/\s+/).length
  if (words > maxWords) throw new Error(`has ${words} words, more than ${maxWords}`)
  const [, title, status, date, section] = head as unknown as [string, string, string, string, string]
  return { file, title, status, date, section }
}

/** The index of decisions by section, in the order of their numbers. */
export function indexOf(decisions: readonly Decision[]): string {
  const sections = [...new Set(decisions.map(({ section }) => section))]
  const line = ({ file, title, status }: Decision) =>
    `- [${file.slice(0, 4)}](docs/decisions/${file}) ${title}${status === 'Accepted' ? '' : ` (${status.toLowerCase()})`}`
  return [
    '# Decisions',
    'What was chosen, why, and what was given up. Figures were measured on two cores unless a page says otherwise. A decision is changed by a new one that supersedes it. `npm run decisions` generates this index.',
    ...sections.flatMap((section) => [
      `## ${section}`,
      decisions
        .filter((one) => one.section === section)
        .map(line)
        .join('\n'),
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

function read(): { decisions: Decision[]; problems: string[] } {
  const decisions: Decision[] = []
  const problems: string[] = []
  for (const [i, file] of readdirSync(folder).sort().entries()) {
    try {
      const text = readFileSync(join(folder, file), 'utf8')
      const decision = readDecision(file, text)
      decisions.push(decision)
      const [gone] = gonePaths(text)
      if (gone && decision.status === 'Accepted') throw new Error(`names ${gone}, which is not there`)
      if (Number(file.slice(0, 4)) !== i + 1) throw new Error(`is number ${i + 1} of its folder`)
    } catch (e) {
      problems.push(`docs/decisions/${file} ${(e as Error).message}`)
    }
  }
  return { decisions, problems }
}

/** Whether each decision has its form, and the index lists them as they are. */
export function checkDecisions(): string[] {
  const { decisions, problems } = read()
  if (problems.length === 0 && indexOf(decisions) !== readFileSync(index, 'utf8'))
    problems.push('DECISIONS.md is outdated; run npm run decisions')
  return problems
}

// `npm run decisions` writes the index.
if (process.argv[1]?.endsWith('decisions.ts')) writeFileSync(index, indexOf(read().decisions))

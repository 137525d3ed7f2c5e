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
]

/** The project's own pages exist, and no path that ARCHITECTURE, CONTRIBUTING, EXAMPLES, README or SECURITY names in backticks is gone. */
export function checkPapers(): string[] {
  const problems = pages.filter((p) => !existsSync(join(root, p))).map((p) => `${p} is missing`)
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'EXAMPLES.md', 'README.md', 'SECURITY.md']) {
    if (!existsSync(join(root, page))) continue
    for (const [, path] of readFileSync(join(root, page), 'utf8').matchAll(
      /`((?:src|db|tests|tools|deploy|\.ci|public|docs)\/[\w./*-]+)`/g,
    )) {
      // A path with a star or a name in angle brackets is a pattern; its folder must be there.
      const real = path!.includes('*') ? path!.slice(0, path!.indexOf('*')).replace(/[^/]*$/, '') : path!
      if (!existsSync(join(root, real))) problems.push(`${page} names ${path}, which is not there`)
    }
  }
  return problems
}

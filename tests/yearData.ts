import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * A generated year of a business, as `data.jsonl` says it. The generator does not come with the
 * project: the person who has it gives its folder (YEARS, or the folder `shared/data` beside the checkout), and
 * without it the tests that need it are skipped.
 */
const generator = join(process.env.YEARS ?? join(import.meta.dirname, '../../shared/data'), 'generate.mjs')
export const hasYears: boolean = existsSync(generator)
export const noYears = 'the generator of years is not here (YEARS names its folder)'

export type Raw = Record<string, any>

/** Writes a year into a folder, by a seed: the same each time; with what reports must say of it (expected.json). */
export function writeYear(
  dir: string,
  seed: number,
  documents: number,
  period: { from: string; to: string },
): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      generator,
      '--out',
      dir,
      '--documents',
      String(documents),
      '--seed',
      String(seed),
      '--from',
      period.from,
      '--to',
      period.to,
      '--formats',
      'jsonl',
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
}

/** The raw records of a year, by a seed: the same each time. */
export function generateYear(seed: number, documents: number, period: { from: string; to: string }): Raw[] {
  const dir = mkdtempSync(join(tmpdir(), 'pinkas-year-'))
  try {
    writeYear(dir, seed, documents, period)
    return readFileSync(join(dir, 'data.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Raw)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

import { transform } from 'esbuild'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { report } from './new/report.ts'
import { resource } from './new/resource.ts'
import type { Plan } from './new/plan.ts'

const changed = (plan: Plan, path: string): string => {
  const edits = (plan.edits ?? []).filter((edit) => edit.path === path)
  expect(edits.length).toBeGreaterThan(0)
  const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
  return edits.reduce((now, edit) => edit.change(now), text)
}

/** Throws where a text is no TypeScript. */
const parses = async (path: string, text: string): Promise<void> => {
  await transform(text, { loader: path.endsWith('.tsx') ? 'tsx' : 'ts', jsx: 'automatic' })
}

describe('what npm run new writes', () => {
  test('a described thing of a new feature stands in its wing, listed behind its neighbours, and reads as code', async () => {
    const folder = 'src/features/books/ponds'
    const plan = await resource.make({
      name: 'ponds',
      feature: 'ponds',
      folder,
      words: wordsFor(resource.asks),
    })
    for (const [path, text] of Object.entries(plan.files)) if (/\.tsx?$/.test(path)) await parses(path, text)
    expect(Object.keys(plan.files)).toEqual(
      expect.arrayContaining([
        `${folder}/ponds.ts`,
        `${folder}/ponds.test.ts`,
        `${folder}/web/Ponds.tsx`,
        `${folder}/server/index.ts`,
      ]),
    )
    const list = changed(plan, 'src/features.ts')
    await parses('features.ts', list)
    const [, ofBooks = ''] = /wing\('books', \{\n([\s\S]*?)\n {2}\}/.exec(list) ?? []
    expect(ofBooks.trim().split('\n').at(-1)?.trim()).toBe('ponds,')
    expect(list).toContain("import * as ponds from '#features/books/ponds/server/index.ts'")
    expect(changed(plan, 'src/features/office/demo/server/discard.ts')).toContain(
      "companyTables = [\n  'ponds',",
    )
    expect(plan.tables).toBe(true)
    expect(Object.keys(plan.texts)).toEqual(
      expect.arrayContaining(['screens.ponds', 'screensFor.ponds', 'team.rules.ponds.see']),
    )
  })

  test('a second described thing is served and shown beside the first', async () => {
    const folder = 'src/features/registers/projects'
    const plan = await resource.make({
      name: 'ponds',
      feature: 'projects',
      folder,
      words: wordsFor(resource.asks),
    })
    for (const path of [`${folder}/server/index.ts`, `${folder}/web/screens.ts`]) {
      const text = changed(plan, path)
      await parses(path, text)
      expect(text).toContain("import { ponds } from '../ponds.ts'")
    }
    expect(changed(plan, `${folder}/server/index.ts`)).toContain('...serveResource({ resource: ponds })')
    expect(changed(plan, `${folder}/web/screens.ts`)).toMatch(
      /announce\(ponds\)[\s\S]*\{ name: 'ponds', path: ponds\.screens\.list/,
    )
  })

  test('a report is served and shown, and says in its file what is left to write', async () => {
    const folder = 'src/features/registers/projects'
    const plan = await report.make({
      name: 'pondDepths',
      feature: 'projects',
      folder,
      words: wordsFor(report.asks),
    })
    for (const [path, text] of Object.entries(plan.files)) await parses(path, text)
    const door = changed(plan, `${folder}/server/index.ts`)
    await parses('index.ts', door)
    expect(door).toMatch(/export const reports(?:: [^=]+)? = \[[^\]]*pondDepths\]/)
    expect(changed(plan, `${folder}/web/screens.ts`)).toContain("path: '/invoice/reportponddepths'")
  })
})

const answers: Record<string, string> = {
  resource: 'name:text!:Name,costAgorot:money:Cost,kind:choice(small=Small|large=Large):Kind',
  report: 'name:text:Name,costAgorot:money:Cost',
}

/** An answer to every question. */
const wordsFor = (asks: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(asks).map((key) => [key, 'Ponds'])),
  ...('columns' in asks ? { columns: answers.report!, group: 'stock' } : { fields: answers.resource! }),
})

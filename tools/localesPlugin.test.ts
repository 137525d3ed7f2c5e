import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { locales } from './localesPlugin.ts'

test('of the words react-aria says itself a browser gets those of our five languages', () => {
  const load = locales().load as (id: string) => string | undefined
  const folder = join(root, 'node_modules/react-aria/dist/private/intl/dnd')
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  expect(files.length).toBeGreaterThan(30)
  const kept = files.filter((name) => load(join(folder, name)) === undefined)
  expect(kept).toEqual(['ar-AE.mjs', 'en-US.mjs', 'fr-FR.mjs', 'he-IL.mjs', 'ru-RU.mjs'])
  expect(load(join(folder, '../datepicker/de-DE.mjs'))).toBe("export { default } from './en-US.mjs'")
})

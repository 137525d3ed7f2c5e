import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { locales } from './localesPlugin.ts'

test('the way a language is read is known without asking the browser', async () => {
  const load = locales().load as (id: string) => string | undefined
  const folder = join(root, 'node_modules/react-aria/dist/private/i18n')
  const read = async (name: string): Promise<any> =>
    import(`data:text/javascript,${encodeURIComponent(load(join(folder, name))!)}`)
  const theirs = await import(join(folder, 'utils.mjs'))
  const { isRTL } = await read('utils.mjs')
  for (const locale of ['he-IL', 'en-GB', 'ar-IL-u-nu-latn', 'ru-RU', 'fr-FR'])
    expect(isRTL(locale)).toBe(theirs.isRTL(locale))

  const { useDefaultLocale } = await read('useDefaultLocale.mjs')
  vi.stubGlobal('document', { documentElement: { dir: 'rtl' } })
  expect(useDefaultLocale()).toEqual({ locale: 'he-IL', direction: 'rtl' })
  document.documentElement.dir = 'ltr'
  expect(useDefaultLocale()).toEqual({ locale: 'en-GB', direction: 'ltr' })
  vi.unstubAllGlobals()
})

test('of the words react-aria says itself a browser gets those of our five languages', () => {
  const load = locales().load as (id: string) => string | undefined
  const folder = join(root, 'node_modules/react-aria/dist/private/intl/dnd')
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  expect(files.length).toBeGreaterThan(30)
  const kept = files.filter((name) => load(join(folder, name)) === undefined)
  expect(kept).toEqual(['ar-AE.mjs', 'en-US.mjs', 'fr-FR.mjs', 'he-IL.mjs', 'ru-RU.mjs'])
  expect(load(join(folder, '../datepicker/de-DE.mjs'))).toBe("export { default } from './en-US.mjs'")
})

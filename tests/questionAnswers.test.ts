import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Day } from '#domain/day.ts'
import { questionOf, readingNames, type Reading } from '#domain/questions/answers.ts'
import { faultsOf } from '#domain/questions/model.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { placed } from '#features/reports/questions/readings.ts'

const today: Day = '2026-11-24'

const paths = (
  await Promise.all(
    featurePlaces()
      .map(({ path }) => join(root, path, 'web/screens.ts'))
      .filter(existsSync)
      .map(async (file) => ((await import(pathToFileURL(file).href)) as { screens: Screen[] }).screens),
  )
)
  .flat()
  .map(({ path }) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`, 'i'))

test.each(readingNames)('the answer to %s is on a screen', (name) => {
  const screen: Reading = { name, period: null, age: null, beside: null, question: null }
  const month = { unit: 'month', from: -1, to: -1 } as const
  for (const reading of [
    screen,
    { ...screen, period: month, age: { count: 60, unit: 'day' as const }, beside: 'year' as const },
  ]) {
    const question = questionOf(name)
    if (question) expect(faultsOf(question)).toEqual([])
    const { href } = placed({ ...reading, question }, today)
    const [path] = href.split('?')
    expect(
      paths.some((one) => one.test(path!)),
      href,
    ).toBe(true)
    expect(href).not.toContain('undefined')
  }
})

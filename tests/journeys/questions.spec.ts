import { expect, test } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { over, takeCopy, wordsIn, type Lang, savedBy } from './support.ts'

const asked = {
  he: { first: 'הכנסות לפי לקוח ורבעון השנה', strange: 'הכנסות פלאיות לפי חודש השנה', unread: 'פלאיות' },
  en: {
    first: 'income by customer and quarter this year',
    strange: 'wondrous income by month this year',
    unread: 'wondrous',
  },
} as const

const lang: Lang = 'he'

test('a question is said, changed, opened down to the paper, kept and found among the reports, by keys alone', async ({
  context,
}) => {
  test.slow()
  const { base, demo } = await takeCopy('looks')
  const tour: Tour = { base, session: demo }
  const word = wordsIn(lang)
  const kept = 'Months of mine'
  const { page, failures } = await openPage(context, tour, '/invoice/reportbuilder', { lang })
  const keys = page.keyboard
  const grid = page.getByRole('grid')
  const chips = page.getByRole('region', { name: word('questions.fields') })
  await expect(grid).toBeVisible()

  // Typed in words, it is in the chips.
  await keys.press('/')
  await keys.type(asked[lang].first)
  await keys.press('Enter')
  await expect(
    chips.getByRole('button', { name: word('questions.dimensions.customer'), exact: true }),
  ).toBeVisible()
  await expect(
    chips.getByRole('button', { name: word('questions.dimensions.quarter'), exact: true }),
  ).toBeVisible()
  await expect(grid.getByRole('columnheader', { name: word('questions.all') }).first()).toBeVisible()

  // The previous answer stays until this one has arrived.
  await expect(page.locator('.q-answer[data-stale]')).toHaveCount(0)

  // Into the figures, to one of a customer, and down to what it is made of.
  const first = grid.locator('tbody [data-at="0.0"]')
  await expect(first).toBeVisible()
  await first.focus()
  await keys.press('End')
  await keys.press('ArrowDown')
  await keys.press('ArrowUp')
  const figure = await page.locator('[data-at]:focus').innerText()
  await keys.press('Enter')
  const sheet = over(page)
  await expect(sheet.getByRole('listitem').first()).toBeVisible()
  const url = page.url()
  await sheet.getByRole('link').first().focus()
  await keys.press('Enter')
  await expect(page).toHaveURL(/invoice\/preview\//)
  await page.goBack()
  await expect(page).toHaveURL(url)
  await expect(sheet.getByRole('listitem').first()).toBeVisible()
  await keys.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(grid.getByText(figure, { exact: true }).first()).toBeVisible()

  // What it cannot read it says and marks, and answers nothing in its place until a person chooses.
  const before = page.url()
  await page.getByRole('searchbox', { name: word('questions.ask') }).fill(asked[lang].strange)
  await keys.press('Enter')
  await expect(page.locator('mark')).toHaveText([asked[lang].unread])
  expect(page.url()).toBe(before)
  await page
    .getByRole('group', { name: word('questions.meant') })
    .getByRole('button')
    .first()
    .press('Enter')
  await expect(
    chips.getByRole('button', { name: word('questions.dimensions.month'), exact: true }),
  ).toBeVisible()

  // It goes out as a file of the same figures.
  await page.getByRole('button', { name: word('kit.lists.export'), exact: true }).press('Enter')
  const file = await savedBy(page, page.getByRole('menuitem', { name: word('kit.lists.csv') }), (item) =>
    item.press('Enter'),
  )
  const stream = await file.createReadStream()
  let csv = ''
  for await (const piece of stream) csv += String(piece)
  const total = (await grid.locator('tr[data-kind="all"] [data-at]').first().innerText()).replace(
    /[^\d.]/g,
    '',
  )
  expect(csv).toContain(total)

  // Saved, it is among the reports and is run again from there.
  await page
    .getByRole('button', { name: word('questions.keep'), exact: true })
    .first()
    .press('Enter')
  await over(page).getByRole('textbox').fill(kept)
  await keys.press('Enter')
  await expect(page.getByRole('heading', { name: kept })).toBeVisible()
  await page.goto(`${tour.base}/invoice/allreport`)
  await page.getByRole('link', { name: `${kept} ` }).press('Enter')
  await expect(page.getByRole('heading', { name: kept })).toBeVisible()
  await expect(grid.locator('tbody tr')).not.toHaveCount(0)
  expect(failures).toEqual([])
})

test('a question whose subject was not read is answered by a question, the first time included', async ({
  context,
}) => {
  const { base, demo } = await takeCopy('looks')
  const tour: Tour = { base, session: demo }
  const word = wordsIn(lang)
  const { page, failures } = await openPage(context, tour, '/invoice/reportbuilder', { lang })
  const ask = async (text: string) => {
    const box = page.getByRole('searchbox', { name: word('questions.ask') })
    await box.fill(text)
    await box.press('Enter')
  }
  await ask('מה הרווח שלי החודש בלי כהנוביץ')
  await expect(page.locator('mark').first()).toBeVisible()
  await expect(page).toHaveURL(/reportbuilder$/)
  await page
    .getByRole('group', { name: word('questions.meant') })
    .getByRole('button', { name: word('questions.readings.profit') })
    .press('Enter')
  await expect(page).toHaveURL(/reportprofitloss\?from=/)
  await page.goto(`${base}/invoice/reportbuilder`)
  await ask('מי חייב לי כסף מעל 60 יום')
  await expect(page).toHaveURL(/reportowe\?due=late&lateOver=60/)
  expect(failures).toEqual([])
})

import { expect, test } from '@playwright/test'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'

/** Tasks in one line, a board moved by mouse and by keyboard, and a second page that sees it. */
const t = wordsIn('he')
const make = (tour: Tour, path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)

test('a task is typed in one line, done, and taken back', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/invoice/alltasks')
  const line = page.getByLabel(t('tasks.quick.label'))
  await line.fill('מחר ב-10 להתקשר לדנה')
  await expect(page.locator('.tk-said')).toContainText('10:00')
  await line.press('Enter')
  const row = page.locator('.tk-row').filter({ hasText: 'להתקשר לדנה' })
  await expect(row).toContainText(t('tasks.due.tomorrow'))
  await row.getByRole('checkbox').click()
  await expect(row).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(row).toHaveCount(1)
  await row.getByRole('button').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(t('tasks.addItem')).fill('לברר מחיר')
  await sheet.getByLabel(t('tasks.addItem')).press('Enter')
  await sheet.getByRole('checkbox', { name: 'לברר מחיר' }).check()
  await sheet.getByLabel(t('tasks.say')).fill('דיברנו')
  await sheet.getByRole('button', { name: t('tasks.send') }).click()
  await expect(sheet.locator('.tk-talk')).toContainText('דיברנו')
  await page.keyboard.press('Escape')
  await expect(row).toContainText('1/1')
  expect(failures).toEqual([])
})

test('cards move by keyboard and by mouse, are read aloud, and another page sees it without a reload', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  for (const text of ['ראשון', 'שני', 'שלישי']) await make(tour, '/api4/invoice/tasks/quick', { text })
  const { page, failures } = await openPage(context, tour, '/invoice/kanban')
  const other = (await openPage(context, tour, '/invoice/kanban')).page
  const column = (of: typeof page, name: string) => of.getByRole('grid', { name, exact: true })
  const [todo, doing, done] = [t('tasks.main.todo'), t('tasks.main.doing'), t('tasks.main.done')]
  await expect(column(page, todo).getByRole('row')).toHaveCount(3)
  await expect(column(other, todo).getByRole('row')).toHaveCount(3)
  await column(page, todo).getByRole('row', { name: 'שני' }).focus()
  // Columns go from right to left here.
  await page.keyboard.press('Control+ArrowLeft')
  await expect(column(page, doing).getByRole('row')).toHaveCount(1)
  await expect(page.locator('.kb [role="status"]')).toContainText(doing)
  await expect(column(other, doing).getByRole('row')).toHaveCount(1)
  await column(page, todo).getByRole('row', { name: 'ראשון' }).dragTo(column(page, doing))
  await expect(column(page, doing).getByRole('row')).toHaveCount(2)
  // Everything the pointer can do is in the menu too.
  await column(page, todo).getByRole('button', { name: 'שלישי' }).last().click()
  await page.getByRole('menu').getByRole('group').getByRole('menuitem', { name: done, exact: true }).click()
  await expect(column(page, done).getByRole('row')).toHaveCount(1)
  await expect(column(other, done).getByRole('row')).toHaveCount(1)
  expect(failures).toEqual([])
})

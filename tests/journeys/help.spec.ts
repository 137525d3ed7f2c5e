import { expect } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { over, sharedDemo, together as test, wordsIn } from './support.ts'

/**
 * Help beside the page: what one asks is read without leaving what one does, and its screens are one press
 * away and back.
 */
const lang = 'he'

const t = wordsIn(lang)

test('help opens beside a page, is searched with a slip, follows the page, and leads to its screen and back', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/documents', { lang })
  const keys = page.keyboard
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.locator('#content').focus()
  await keys.press('Shift+Slash')
  const beside = page.getByRole('complementary', { name: t('kit.shell.help') })
  await expect(beside.getByRole('article')).toContainText(
    lang === 'he' ? 'הלשוניות מעל הרשימה' : 'The tabs above the list',
  )
  await expect(beside.getByText(t('help.inEnglish'))).toHaveCount(lang === 'he' ? 0 : 1)

  // The same key once more: the shortcuts.
  await keys.press('Shift+Slash')
  await expect(over(page)).toContainText(t('kit.keys.title'))
  await keys.press('Escape')

  const typed = lang === 'he' ? 'הקצאא' : 'alocation numbers'
  await beside.getByRole('searchbox', { name: t('help.search') }).fill(typed)
  const first = beside.getByRole('listitem').first().getByRole('button')
  await expect(first).toContainText(lang === 'he' ? 'הקצאה' : 'llocation number')
  await beside
    .getByRole('button', { name: lang === 'he' ? 'מספרי הקצאה' : 'Allocation numbers', exact: true })
    .click()
  // To its screen, where the help has come along; and back, once it is there.
  const before = await page.locator('#content h1').innerText()
  await beside.getByRole('link', { name: t('screens.missingIsraelTax') }).click()
  await expect(page).toHaveURL(/missingisraeltax/i)
  await expect(page.locator('#content h1')).not.toHaveText(before)
  await expect(beside.getByRole('article').getByRole('heading').first()).toContainText(
    lang === 'he' ? 'מספרי הקצאה' : 'Allocation numbers',
  )
  await page.goBack()
  await expect(page).toHaveURL(/\/invoice\/documents$/)
  await expect(beside.getByRole('article')).toContainText(
    lang === 'he' ? 'הלשוניות מעל הרשימה' : 'The tabs above the list',
  )

  await beside.getByRole('searchbox', { name: t('help.search') }).focus()
  await keys.press('Escape')
  await expect(beside).toHaveCount(0)
  expect(failures).toEqual([])
})

test('what is new carries a mark until it was seen', async ({ context, baseURL }) => {
  const t = wordsIn('he')
  const tour: Tour = { base: baseURL!, session: await sharedDemo() }
  const { page, failures } = await openPage(context, tour, '/invoice/main')
  await page.route('**/help/news', (route) => route.fulfill({ json: { count: 2 } }))
  await page.reload()
  const mark = page.getByRole('button', { name: t('kit.shell.helpNews') })
  await expect(mark).toBeVisible()
  await mark.click()
  await page
    .getByRole('complementary')
    .getByRole('link', { name: t('help.news') })
    .click()
  await expect(page.getByRole('heading', { name: '0.4.0' })).toBeVisible()
  await expect(page.getByText('כל ארבעה־עשר הסוגים', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: t('kit.shell.help'), exact: true })).toBeVisible()
  expect(failures).toEqual([])
})

import { expect, test } from '@playwright/test'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { guidePath, guides, referencePath } from '#features/open/docs/web/guides.ts'
import { wordsIn } from './support.ts'

/**
 * A developer looks a call up, tries it on a test business, and reads what the calls of other products become here.
 */
const t = wordsIn('he')

test('a call is found, tried on a test business with real records, and its guide works too', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/api/doc')
  await expect(page.getByRole('heading', { level: 1, name: t('docs.topics.start.title') })).toBeVisible()

  // The test business is opened with one press; its key stays while the window is open.
  await page.getByRole('button', { name: t('docs.openTest') }).click()
  await expect(page.getByText('pk_test_').last()).toBeVisible()

  // Found by typing, from the keyboard alone.
  await page.keyboard.press('/')
  await page.keyboard.type('documents create')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/call=documents\.create/)
  await expect(page.getByText('lines[].unitPrice', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('documents.dateInFuture', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Python' }).click()
  await expect(page.getByLabel(t('docs.code'), { exact: true }).last()).toContainText('import requests')
  await page.getByRole('button', { name: t('docs.send') }).click()
  await expect(page.getByLabel(t('docs.answer'), { exact: true })).toContainText('"totalAgorot": 17110')
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-call.png` })

  // Ids of the example are those of the test business; what is no JSON is not sent.
  await page.goto('/api/doc?call=customers.get')
  await page.getByRole('button', { name: t('docs.send') }).click()
  await expect(page.getByLabel(t('docs.answer'), { exact: true })).toContainText('"name"')
  await page.goto('/api/doc?call=customers.create')
  await page.getByLabel(t('docs.body')).fill('{"name": ')
  await page.getByRole('button', { name: t('docs.send') }).click()
  await expect(page.getByText(t('docs.badJson'))).toBeVisible()

  // A guide of the calls that programs of other products send.
  await page.goto('/invoice/apiguideaddcustomer')
  await page.getByRole('button', { name: t('docs.send') }).click()
  await expect(page.getByLabel(t('docs.answer'), { exact: true })).toContainText('"Success": true')
  await page.getByRole('link', { name: t('docs.guide.asReference') }).click()
  await expect(page).toHaveURL(/apiv1\/addcustomer/i)
  await page.getByRole('button', { name: t('docs.send') }).click()
  await expect(page.getByLabel(t('docs.answer'), { exact: true })).toContainText('"Success": true')
  expect(failures).toEqual([])
})

test('every guide, for people and as reference, answers its own sample in a test business', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page, failures } = await openPage(context, tour, '/api/doc')
  await page.getByRole('button', { name: t('docs.openTest') }).click()
  await page.waitForFunction(() => sessionStorage.getItem('pinkas.testKey'))
  const wrong: string[] = []
  // A product that was deleted by its guide is made again for its reference.
  const walk = guides.flatMap((name) => [
    guidePath(name),
    ...(name === 'deleteproduct' ? [guidePath('product')] : []),
    referencePath(name),
  ])
  for (const path of walk) {
    await page.goto(path)
    await page.getByRole('button', { name: t('docs.send') }).click()
    const answer = page.getByLabel(t('docs.answer'), { exact: true })
    await expect(answer).toContainText('"Success":')
    const said = await answer.innerText()
    if (!said.includes('"Success": true')) wrong.push(`${path}: ${said.slice(0, 300)}`)
  }
  expect(wrong).toEqual([])
  expect(failures).toEqual([])
})

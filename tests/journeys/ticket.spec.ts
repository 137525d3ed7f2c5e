import { expect } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { alone, over, wordsIn } from './support.ts'

const t = wordsIn('he')

alone(
  'a question is asked from the page one is stuck on, its picture hides what is private, and the desk answers',
  async ({ context, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const { page, failures } = await openPage(context, tour, '/invoice/InvoiceCustomers')
    const { rows } = (await (
      await fetch(`${tour.base}/api4/invoice/customers?size=10`, {
        headers: { 'x-access-token': tour.session.UserKey! },
      })
    ).json()) as { rows: { name: string }[] }
    await expect(page.getByText(rows[0]!.name).first()).toBeVisible()
    await page.getByRole('button', { name: t('kit.shell.help'), exact: true }).click()
    const beside = page.getByRole('complementary', { name: t('kit.shell.help') })
    await beside.getByRole('button', { name: t('support.askHere') }).click()

    const dialog = over(page)
    const shot = dialog.getByRole('img', { name: t('support.pictureAlt') })
    await expect(shot).toBeVisible()
    const size = await shot.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
    expect(size[0]).toBeGreaterThan(300)
    expect(size[1]).toBeGreaterThan(200)
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-ask.png` })
    // The page itself is as it was.
    await expect(page.getByText(rows[0]!.name).first()).toBeAttached()

    await dialog.getByRole('button', { name: t('support.send') }).click()
    await expect(dialog.getByText(t('errors.fields.need')).first()).toBeVisible()
    await dialog.getByLabel(t('support.fields.subject')).fill('לקוח כפול')
    await dialog.getByLabel(t('support.fields.text')).fill('<b>איך</b> מאחדים שני לקוחות?')
    await dialog.getByRole('button', { name: t('support.send') }).click()
    await expect(page).toHaveURL(/\/invoice\/support\/[0-9a-f-]{36}/)
    await expect(page.getByText('<b>איך</b> מאחדים שני לקוחות?')).toBeVisible()
    await expect(page.getByRole('main').getByRole('img', { name: t('support.pictureAlt') })).toBeVisible()
    await expect(page.getByText(t('support.state.new'), { exact: true })).toBeVisible()
    const mine = page.url()

    // Under development everybody answers.
    await page.goto(`${baseURL}/invoice/support?desk=all`)
    await page.getByRole('row', { name: 'לקוח כפול' }).getByRole('link').first().click()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-desk.png` })
    await page.getByLabel(/תשובה אל/).fill('בכרטיס הלקוח, בתפריט שלוש הנקודות: איחוד.')
    await page.getByRole('button', { name: t('support.answer') }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'בתפריט שלוש הנקודות' })).toBeVisible()

    await page.goto(mine)
    await expect(page.getByText(t('support.state.waiting'), { exact: true })).toBeVisible()
    await page.getByRole('button', { name: t('support.close') }).click()
    await expect(page.getByText(t('support.reopens'))).toBeVisible()
    await page.getByLabel(t('support.more')).fill('עוד שאלה')
    await page.getByRole('button', { name: t('support.answer') }).click()
    await expect(page.getByText(t('support.state.open'), { exact: true })).toBeVisible()
    expect(failures).toEqual([])
  },
)

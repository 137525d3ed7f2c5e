import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { rulesForKeys } from '#features/open/apiKeys/rules.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { buy, missingOfWordPress, openShop, type OrderThere, type Shop } from '../../../../tests/wordpress.ts'
import * as calls from './endpoints.ts'

const publicPlugins = process.env.PUBLIC_PLUGINS ?? ''
const missing = missingOfWordPress()

describe('the plug-in in a real WordPress', () => {
  beforeEach(({ skip }) => skip(missing !== '', `there is no ${missing}`))
  let world: World
  let owner: Business
  let shop: Shop
  let pinkas = ''
  let shopId = ''
  let key = ''

  beforeAll(async () => {
    if (missing) return
    world = await startWorld()
    world.app.settings.testAcquirer = true
    // The shop under test runs on this machine.
    world.app.settings.webhooks = { http: false, local: true }
    owner = await newBusiness(world)
    await owner.call(addTerminal, { gateway: 'test' })
    pinkas = await world.http.listen({ host: '127.0.0.1', port: 0 })
    shop = await openShop({ hpos: process.env.HPOS !== 'no', locale: 'he_IL' })
    console.info(`WordPress ${shop.versions.wordpress}, WooCommerce ${shop.versions.woocommerce}`)
    shopId = (
      await owner.call(calls.createShop, {
        kind: 'woocommerce',
        name: 'WooCommerce',
        settings: { send: 'none' },
      })
    ).id
    key = (
      await owner.call(makeKey, {
        name: 'WooCommerce',
        readOnly: false,
        draftsOnly: false,
        rules: [32],
        docsAllow: [],
        sumLimitAgorot: null,
        expiresOn: null,
      })
    ).secret
  }, 120_000)
  afterAll(async () => {
    await shop?.close()
    await world?.close()
  })

  const there = (id: number) => shop.deed<OrderThere>('order', { id })
  const papers = async () => (await owner.call(calls.listOrders, { id: shopId })).rows
  const goods = (mugs: number, cloths = 0): [number, number][] => [
    [shop.products[0]!, mugs],
    ...(cloths ? [[shop.products[1]!, cloths] as [number, number]] : []),
  ]

  test('is turned on, says that it fits the new tables of orders, and sweeps daily', async () => {
    expect(await shop.deed('shop')).toMatchObject({
      compatible: expect.arrayContaining(['pinkas-for-woocommerce/pinkas-for-woocommerce.php']),
      sweepAt: expect.any(Number),
      settings: false,
    })
  })

  test('its page tells what is wrong, connects, never shows the key, and is closed to whoever does not run the shop', async () => {
    const keeper = shop.visitor()
    await keeper.logIn('keeper')
    const page = '/wp-admin/admin.php?page=pinkas'
    const bad = await keeper.submit(page, { url: 'http://elsewhere.example', shop: 'no such', key: '' })
    expect(bad.html).toContain('הכתובת צריכה להתחיל ב-https://')
    expect(bad.html).toContain('מזהה החנות הוא')
    expect(bad.html).toContain('כאן מדביקים את המפתח')
    expect((await keeper.submit(page, { url: pinkas, shop: shopId, key: 'pk_live_wrong' })).html).toContain(
      'לא מחובר',
    )
    const good = await keeper.submit(page, { url: pinkas, shop: shopId, key })
    expect(good.html).toContain('מחובר: פנקס מכיר את החנות')
    expect(good.html).not.toContain(key)
    // An empty key keeps the one that is there.
    expect((await keeper.submit(page, {})).html).toContain('מחובר: פנקס מכיר את החנות')
    expect((await shop.deed<{ settings: unknown }>('shop')).settings).toEqual({
      url: pinkas,
      key,
      shop: shopId,
      mail: 'yes',
    })

    await shop.deed('user', { login: 'buyer', role: 'customer' })
    const buyer = shop.visitor()
    await buyer.logIn('buyer')
    expect((await buyer.open(page)).html).not.toContain('pinkas_save')
    expect(
      (await buyer.open('/wp-admin/admin-post.php', { action: 'pinkas_save', url: 'https://evil.example' }))
        .status,
    ).toBe(403)
    expect(await papers()).toEqual([])
  })

  let bought = 0
  test('a buyer pays at the checkout: the document is in the order, in the mail, in his account, and its sums are those of the shop', async () => {
    shop.mails()
    const order = await buy(shop, { lines: goods(3, 1), coupon: 'tenth', method: 'stand_card' })
    bought = order.id
    const at = await there(order.id)
    expect(at).toMatchObject({
      status: 'processing',
      total: '229.07',
      meta: { _pinkas_document_number: expect.stringMatching(/^\d+$/) },
    })
    const { _pinkas_document_id: id, _pinkas_document_number: number, _pinkas_document_url: page } = at.meta
    expect(at.notes).toContain(`מסמך ${number} הופק בפנקס.`)
    const mails = shop.mails()
    expect(mails.find((mail) => mail.to.includes('noa@buyer.example'))!.text.includes(page!)).toBe(true)

    const paper = await owner.call(getDocument, { id: id! })
    expect(paper).toMatchObject({ type: 9, totals: { totalAgorot: 22_907, vatAgorot: 3_494 } })
    expect(
      paper.lines.map(({ description, quantity, totalAgorot }) => [description, quantity, totalAgorot]),
    ).toEqual([
      ['ספל קרמיקה', '3', 13_500],
      ['מפת שולחן', '1', 6_507],
      ['שליח', '1', 2_900],
    ])

    // The queue brings the notices of the same payment that came beside the mail.
    await shop.deed('queue')
    expect((await there(order.id)).notes.filter((note) => note.includes('פנקס'))).toHaveLength(1)
    expect(await papers()).toHaveLength(1)

    const buyer = shop.visitor()
    const seen = await buyer.open(order.thanks)
    expect(seen.status).toBe(200)
    expect(seen.html).toContain(page)
    const keeper = shop.visitor()
    await keeper.logIn('keeper')
    const admin = await keeper.open((await shop.deed<{ url: string }>('adminUrl', { id: order.id })).url)
    expect(admin.html).toContain(page)
    expect(admin.html).toContain('שליחה לפנקס')
  })

  test('money goes back in part and then the rest: a credit of each, told in the order', async () => {
    await shop.deed('refund', { id: bought, amount: '40.00', reason: 'שבור' })
    await shop.deed('queue')
    const first = await there(bought)
    expect(first).toMatchObject({
      status: 'processing',
      meta: { _pinkas_credits: expect.stringMatching(/^\d+$/) },
    })
    expect(first.notes).toContain(`זיכוי ${first.meta._pinkas_credits} הופק בפנקס.`)
    await shop.deed('refund', { id: bought, amount: '189.07' })
    await shop.deed('queue')
    await shop.deed('queue', { all: true })
    const last = await there(bought)
    expect(last.status).toBe('refunded')
    expect(last.meta._pinkas_credits!.split(', ')).toHaveLength(2)
    const whole = await owner.call(calls.getOrder, { id: (await papers())[0]!.id })
    expect(whole.refunds.map(({ amountAgorot, state }) => [amountAgorot, state])).toEqual([
      [4_000, 'issued'],
      [18_907, 'issued'],
    ])
    expect(await owner.call(calls.listDays, { id: shopId })).toMatchObject({
      rows: [{ shopAgorot: 0, booksAgorot: 0, differenceAgorot: 0 }],
    })
  })

  test('a transfer brings a document once it has come, and a cancelled order none', async () => {
    const waits = await buy(shop, { lines: goods(1), method: 'bacs' })
    await shop.deed('queue')
    expect((await there(waits.id)).meta).toEqual({})
    await shop.deed('status', { id: waits.id, status: 'completed' })
    await shop.deed('queue')
    expect((await there(waits.id)).meta._pinkas_document_number).toMatch(/^\d+$/)
    const left = await buy(shop, { lines: goods(1), method: 'bacs' })
    await shop.deed('status', { id: left.id, status: 'cancelled' })
    await shop.deed('queue', { all: true })
    expect((await there(left.id)).meta).toEqual({})
  })

  test('while Pinkas is away the buyer does not wait, and the order has its document later; the log says both', async () => {
    const away = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(away, 'listening')
    const keeper = shop.visitor()
    await keeper.logIn('keeper')
    const set = (url: string) => keeper.submit('/wp-admin/admin.php?page=pinkas', { url })
    const settings = (await shop.deed<{ settings: Record<string, string> }>('shop')).settings
    await shop.deed('set', {
      settings: { ...settings, url: `http://127.0.0.1:${(away.address() as AddressInfo).port}` },
    })
    const order = await buy(shop, { lines: goods(2), method: 'stand_card' })
    expect(order.ms).toBeLessThan(7_000)
    const before = await there(order.id)
    expect(before.meta._pinkas_document_number).toBeUndefined()
    expect(before.meta._pinkas_trouble).toContain('timed out')
    expect(await shop.deed('waiting')).toContainEqual({ args: [order.id, 1], in: expect.any(Number) })

    away.closeAllConnections()
    away.close()
    expect((await set(pinkas)).html).toContain('מחובר: פנקס מכיר את החנות')
    await shop.deed('queue', { all: true })
    const after = await there(order.id)
    expect(after.meta._pinkas_document_number).toMatch(/^\d+$/)
    expect(after.meta._pinkas_trouble).toBeUndefined()
    const { text } = await shop.deed<{ text: string }>('log')
    expect(text).toMatch(new RegExp(`ERROR #${order.id} .*timed out`))
    expect(text).toContain(`INFO #${order.id} document ${after.meta._pinkas_document_number}`)
    expect(text).not.toContain(key)
    expect((await keeper.open('/wp-admin/admin.php?page=wc-status&tab=logs&source=pinkas')).html).toContain(
      'pinkas',
    )
  }, 60_000)

  test('a lost notice is found by the sweep, once', async () => {
    const order = await buy(shop, { lines: goods(1), method: 'bacs' })
    await shop.deed('setQuietly', { id: order.id, status: 'completed' })
    expect((await there(order.id)).meta).toEqual({})
    await shop.deed('sweep')
    await shop.deed('queue')
    expect((await there(order.id)).meta._pinkas_document_number).toMatch(/^\d+$/)
    const before = (await papers()).filter((one) => one.document).length
    await shop.deed('sweep')
    await shop.deed('queue', { all: true })
    expect((await papers()).filter((one) => one.document)).toHaveLength(before)
  })

  test('PHP has nothing to complain of, and turned off it leaves no clockwork behind', async () => {
    expect(shop.complaints()).toEqual([])
    expect(
      await shop.deed('turnOff', { plugin: 'pinkas-for-woocommerce/pinkas-for-woocommerce.php' }),
    ).toEqual({
      on: false,
      sweepAt: false,
    })
  })

  // Public plug-ins that were written for another product, each in a folder of its own under PUBLIC_PLUGINS,
  // unchanged but for where their calls go.
  describe('beside plug-ins of another product', () => {
    beforeEach(({ skip }) => skip(!publicPlugins, 'PUBLIC_PLUGINS names no folder'))
    const bring = async (name: string, file: string) => {
      shop.bring(join(publicPlugins, name))
      expect(await shop.deed('activate', { plugin: `${name}/${file}` })).toEqual({ failed: null, on: true })
    }
    let mine: { secret: string; key: { id: string } }
    beforeAll(async () => {
      if (missing || !publicPlugins) return
      mine = await owner.call(makeKey, {
        name: 'another product',
        readOnly: false,
        draftsOnly: false,
        rules: rulesForKeys().map(({ number }) => number),
        docsAllow: [],
        sumLimitAgorot: null,
        expiresOn: null,
      })
      await shop.deed('options', { options: { stand_instead: pinkas } })
    })

    test('an order that is completed has its document, and its address lies where that plug-in looks for it', async () => {
      await bring('yesh-invoice-invoices-for-woocommerce', 'wc-invoices-yeshinvoice.php')
      const name = (rest: string) => `_wc_yeshinvoices_${rest}`
      await shop.deed('options', {
        options: {
          [name('test_secret_key')]: mine.secret,
          [name('test_user_key')]: mine.key.id,
          [name('title')]: 'הזמנה',
          [name('notes')]: 'תודה',
          [name('notes_bottom')]: '',
          [name('currency_id')]: '1',
          [name('invoice_lang_id')]: '359',
          [name('document_type')]: '9',
          [name('send_invoice_sms')]: 'no',
          [name('send_invoice_email')]: 'no',
          [name('send_invoice_shipping')]: 'no',
        },
      })
      const order = await buy(shop, { lines: goods(3, 1), coupon: 'tenth', method: 'bacs' })
      await shop.deed('status', { id: order.id, status: 'completed' })
      const metas = await shop.deed<Record<string, string>>('metas', { id: order.id })
      const said = JSON.parse(metas._wc_yeshinvoice_response ?? '{}') as {
        Success: boolean
        ErrorMessage: string
        ReturnValue: { TotalPrice: string }
      }
      expect([said.Success, said.ErrorMessage]).toEqual([true, ''])
      expect(said.ReturnValue.TotalPrice).toBe('229.07')
      expect(metas._wc_yeshinvoice_invoice_url).toContain('http')
    })

    test('its gateway is given the page to pay at', async () => {
      await bring('invoice-gateway-yeshinvoice', 'wc-yeshin.php')
      await shop.deed('options', {
        options: {
          woocommerce_yeshin_settings: {
            enabled: 'yes',
            title: 'Card',
            _yeshin_paycon: '0',
            _yeshin_live_secret_key: mine.secret,
            _yeshin_live_user_key: mine.key.id,
            _yeshin_payment_type: '1',
            _yeshin_currency_id: '1',
            _yeshin_invoice_lang_id: '359',
            _yeshin_document_minpay: '1',
            _yeshin_document_maxpay: '3',
            _yeshin_document_type: '9',
          },
        },
      })
      const paying = await buy(shop, { lines: goods(1), method: 'yeshin' })
      expect(paying.thanks).toMatch(/\/payment/)
    })
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWooCommerce } from './kinds/woocommerce.ts'
import { shopText } from './shopText.ts'

test.each([
  ['ז&#039;קט &amp; חולצה &#8211; <b>XL</b>', "ז'קט & חולצה – XL"],
  ['3 < 5 &gt; 2', '3 < 5 > 2'],
  ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  ['one<br/>two</p><p>three', 'one two three'],
  ['<script>alert(1)</script>Cup', 'Cup'],
  ['AT&T &unknown; &#0;&#xD800;x', 'AT&T &unknown; x'],
  ['plain  text', 'plain  text'],
])('%s', (raw, text) => expect(shopText(raw)).toBe(text))

test('what a shop encodes is read back', () => {
  const encoded = (text: string) =>
    text.replace(/[&<>"']/g, (sign) => `&#${sign === "'" ? '039' : sign.charCodeAt(0)};`)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'אב\'"&<>xyz-12') }), (text) => {
      expect(shopText(encoded(text))).toBe(text)
    }),
  )
})

test('lines and buyers of an order are plain text', () => {
  const order = readWooCommerce({
    id: 7,
    status: 'processing',
    currency: 'ILS',
    total: '118.00',
    billing: { first_name: 'O&#039;Neil', last_name: '&amp; Co' },
    line_items: [{ name: 'ז&#039;קט <b>XL</b>', quantity: 1, total: '100.00', total_tax: '18.00' }],
  })
  expect([order.customer.name, order.lines[0]!.name]).toEqual(["O'Neil & Co", "ז'קט XL"])
})

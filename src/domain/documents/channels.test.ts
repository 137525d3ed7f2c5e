import { expect, test } from 'vitest'
import { channelFor, channelsFor, type Channel } from './channels.ts'

test.each<[Channel | null, hasMail: boolean, hasMobile: boolean, onPhone: boolean, Channel]>([
  [null, true, true, false, 'mail'],
  [null, true, true, true, 'whatsapp'],
  [null, true, false, true, 'mail'],
  [null, false, true, false, 'whatsapp'],
  [null, false, true, true, 'whatsapp'],
  [null, false, false, false, 'mail'],
  [null, false, false, true, 'whatsapp'],
  ['mail', true, true, true, 'mail'],
  ['whatsapp', true, true, false, 'whatsapp'],
  ['sms', true, true, false, 'sms'],
  // The address that was used is gone.
  ['mail', false, true, true, 'whatsapp'],
  ['sms', true, false, false, 'mail'],
])('last %s, mail %s, mobile %s, on a phone %s: %s', (last, hasMail, hasMobile, onPhone, channel) => {
  expect(channelFor({ last, hasMail, hasMobile, onPhone })).toBe(channel)
})

test('every channel is offered, the likeliest first', () => {
  expect(channelsFor({ onPhone: true })[0]).toBe('whatsapp')
  expect(channelsFor({ onPhone: false })[0]).toBe('mail')
  for (const onPhone of [true, false]) expect(new Set(channelsFor({ onPhone })).size).toBe(3)
})

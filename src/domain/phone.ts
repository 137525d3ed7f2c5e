/**
 * 050-1234567 as it is dialled from anywhere, without the plus: 972501234567. Undefined where there is no
 * number to dial.
 */
export function internationalPhone(phone: string | null | undefined): string | undefined {
  const given = (phone ?? '').trim()
  const digits = given.replace(/\D/g, '')
  if (digits.length < 8) return undefined
  if (given.startsWith('+')) return digits.replace(/^9720/, '972')
  if (digits.startsWith('00')) return digits.slice(2).replace(/^9720/, '972')
  if (digits.startsWith('972')) return digits.replace(/^9720/, '972')
  return digits.startsWith('0') ? `972${digits.slice(1)}` : digits
}

/**
 * What two ways of writing one phone have in common: '+972 52-123', '(052) 123' and '00972 (0)52 123' are the
 * same line. Digits as they are dialled in Israel; of a foreign number all its digits.
 */
export const phoneKey = (phone: string): string => phone.replace(/\D/g, '').replace(/^(00)?9720?/, '0')

/** A phone that somebody searches for, in whatever format: as `phoneKey` has it. Undefined of any other text. */
export const phoneAsked = (text: string): string | undefined => {
  if (!/^[+(]?\d[\d\s().-]{5,}$/.test(text.trim())) return undefined
  const key = phoneKey(text)
  return key.length >= 6 && key.length <= 15 ? key : undefined
}

/**
 * The same as it is dialled in Israel, of a number that takes text messages: 0501234567. Undefined of any
 * other number.
 */
export function israeliMobile(phone: string | null | undefined): string | undefined {
  const whole = internationalPhone(phone)
  return whole && /^9725\d{8}$/.test(whole) ? `0${whole.slice(3)}` : undefined
}

/**
 * WhatsApp with a text ready in it, to a number or, without one, to whom the person chooses there (click to
 * chat, faq.whatsapp.com).
 */
export const whatsAppLink = (phone: string | null | undefined, text: string): string =>
  `https://wa.me/${internationalPhone(phone) ?? ''}?text=${encodeURIComponent(text)}`

import { z } from 'zod'
import { paymentMeansById } from '#domain/documents/kinds.ts'
import { requiredDetails } from '#domain/documents/paymentDetails.ts'
import type { ShopRules } from '#domain/shops/paper.ts'
import { mappable, type Mappable } from '#domain/shops/fields.ts'
import { dayValue } from '#kit/fields/schema.ts'

export const shopKinds = ['generic', 'woocommerce', 'shopify', 'wix'] as const
export type ShopKind = (typeof shopKinds)[number]

export const orderStates = ['new', 'mapped', 'issued', 'ignored', 'trouble'] as const
export const papers = ['taxInvoiceReceipt', 'taxInvoice'] as const
export const sendings = ['none', 'mail', 'sms', 'both'] as const
export const shopLanguages = ['order', 'he', 'ar', 'en', 'ru', 'fr'] as const

const settingFields = {
  paper: z.enum(papers).describe('For people'),
  businessPaper: z
    .enum(papers)
    .describe('For businesses that gave a dealer number; a tax invoice gets its receipt too'),
  language: z.enum(shopLanguages).describe('order: the language people ordered in, where the shop says it'),
  send: z.enum(sendings).describe('How the buyer gets his document'),
  means: z
    .number()
    .int()
    .min(1, { error: 'fields.choice' })
    .max(8, { error: 'fields.choice' })
    .refine((id) => !requiredDetails(paymentMeansById(id) ?? 'other').length, { error: 'fields.choice' })
    .describe('The means of payment where the shop does not say: 4 is a card; not a cheque'),
  zeroEilat: z.boolean().describe('Orders without VAT to Eilat are at zero rate; otherwise a person looks'),
  zeroAbroad: z.boolean().describe('Orders without VAT that go abroad are at zero rate'),
  zeroTourist: z.boolean().describe('Orders without VAT that the shop marks as of tourists are at zero rate'),
  untaxedLines: z
    .enum(['look', 'exempt'])
    .describe('A line without VAT in an order with VAT: a person looks, or it is exempt'),
  branch: z
    .string()
    .regex(/^[\p{L}\p{N} _-]{0,20}$/u, { error: 'fields.text' })
    .describe('Numbers of its own for the documents of this shop'),
  fromDay: dayValue.nullable().describe('Orders paid before this day have documents elsewhere'),
  daily: z.boolean().describe('Tell the owner each morning when shop and books differ'),
}

/** How orders of a shop become documents. */
export const shopSettings = z.strictObject(settingFields)
export type ShopSettings = z.output<typeof shopSettings> & ShopRules

/** What is not said stays; a schema with starts of its own would set it back. */
export const settingsPatch = shopSettings.partial()

export const startSettings: ShopSettings = {
  paper: 'taxInvoiceReceipt',
  businessPaper: 'taxInvoice',
  language: 'order',
  send: 'mail',
  means: 4,
  zeroEilat: false,
  zeroAbroad: false,
  zeroTourist: false,
  untaxedLines: 'look',
  branch: '',
  fromDay: null,
  daily: true,
}

const path = z
  .string()
  .trim()
  .max(120, { error: 'fields.tooLong' })
  .regex(/^[\w$@-]+(\.[\w$@-]+){0,8}$/, { error: 'fields.text' })
export const fieldMapping = z
  .partialRecord(z.enum(mappable as unknown as [Mappable, ...Mappable[]]), path)
  .describe(
    'Where each part of an order stands in what the shop sends; parts of lines and refunds are read within one of them',
  )

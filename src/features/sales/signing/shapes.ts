import { z } from 'zod'
import { dayValue, emailValue, languageInput } from '#kit/fields/schema.ts'

/**
 * A page as it is shown, in points: turned by `rotate` and cut to `box` (left, bottom, right, top of the
 * unrotated page).
 */
export interface PageShape {
  width: number
  height: number
  rotate: number
  box: number[]
}

export const fieldKinds = [
  'signature',
  'initials',
  'name',
  'date',
  'text',
  'number',
  'tick',
  'choice',
  'file',
  'pay',
] as const
export type FieldKind = (typeof fieldKinds)[number]

/** What a text must be, beside being there. */
export const checks = ['none', 'email', 'phone', 'taxId', 'letters', 'digits'] as const

/** What a field is filled with when the paper is sent; the signer finds it there. */
export const merges = [
  'none',
  'customer.name',
  'customer.taxId',
  'customer.email',
  'customer.phone',
  'customer.address',
  'document.number',
  'document.total',
  'document.date',
  'business.name',
  'business.taxId',
  'signer.name',
  'signer.email',
  'signer.phone',
  'sender.name',
] as const
export type Merge = (typeof merges)[number]

export const mostFields = 300
export const mostRoles = 10

const key = z.string().regex(/^[a-z][a-z0-9]{0,19}$/, { error: 'fields.text' })
const words = (max: number) => z.string({ error: 'fields.text' }).trim().max(max, { error: 'fields.tooLong' })

export const fieldValue = z.strictObject({
  id: key,
  kind: z.enum(fieldKinds, { error: 'fields.choice' }),
  role: key,
  /** From 1. Place and size are points of the page as it is shown, from its upper left corner. */
  page: z.number().int().min(1).max(300),
  x: z.number().min(0).max(20_000),
  y: z.number().min(0).max(20_000),
  w: z.number().min(8, { error: 'signing.fieldSmall' }).max(20_000),
  h: z.number().min(8, { error: 'signing.fieldSmall' }).max(20_000),
  label: words(80).default(''),
  must: z.boolean().default(true),
  check: z.enum(checks, { error: 'fields.choice' }).default('none'),
  merge: z.enum(merges, { error: 'fields.choice' }).default('none'),
  options: z
    .array(words(80).min(1, { error: 'fields.need' }))
    .max(20)
    .default([]),
  /** Of a field that asks for a payment; empty, it asks for the paper's sum. */
  amountAgorot: z
    .number()
    .int()
    .min(100, { error: 'fields.range' })
    .max(100_000_000_00, { error: 'fields.range' })
    .nullable()
    .default(null),
})
export type SignField = z.output<typeof fieldValue>

export const roleValue = z.strictObject({
  id: key,
  name: words(60).min(1, { error: 'fields.need' }),
  /** Those of one number sign side by side, the next when all of them have. */
  order: z.number().int().min(1).max(20),
  /** Signs only when the paper's sum is above so many agorot. */
  above: z.number().int().min(0).max(1_000_000_000_00).nullable().default(null),
})
export type SignRole = z.output<typeof roleValue>

export const identities = ['link', 'code', 'login'] as const
export const channels = ['mail', 'sms', 'whatsapp', 'person'] as const

export const signerValue = z.strictObject({
  role: key,
  name: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
  email: emailValue.nullish(),
  phone: z.string().trim().max(25).nullish(),
  language: languageInput.optional(),
  identity: z.enum(identities, { error: 'fields.choice' }).default('link'),
  channel: z.enum(channels, { error: 'fields.choice' }).default('mail'),
  /** Of roles that the template lets sign side by side, those of the lower turn come first. */
  turn: z.number().int().min(1, { error: 'fields.range' }).max(50, { error: 'fields.range' }).optional(),
})
export type SignerInput = z.output<typeof signerValue>

/** What the person who sends one paper to one signer says: the same wherever a signature is asked for. */
export const askValues = {
  signer: signerValue.omit({ role: true, turn: true }),
  message: words(2000).default(''),
  expiresDay: dayValue.optional(),
}
/** The same as the server has it. */
export interface AskGiven {
  signer: Omit<SignerInput, 'role' | 'turn'>
  message: string
  expiresDay?: string | undefined
}

/** What asking one signer may refuse. */
export const askErrors = [
  'kit.notFound',
  'signing.noWay',
  'signing.codeNeedsWay',
  'signing.loginNeedsMail',
  'signing.dayPast',
  'sms.notMobile',
  'files.overQuota',
]

/** A member of a group: the role is found by its name when a template is sent. */
export const personValue = z.strictObject({
  role: words(60).min(1, { error: 'fields.need' }),
  name: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
  email: emailValue.nullish(),
  phone: z.string().trim().max(25).nullish(),
  identity: z.enum(identities, { error: 'fields.choice' }).default('link'),
  channel: z.enum(channels, { error: 'fields.choice' }).default('mail'),
})
export type Person = z.output<typeof personValue>

export const copyValue = z.strictObject({ name: words(120).default(''), email: emailValue })

const point = z.tuple([z.number().min(-2000).max(5000), z.number().min(-2000).max(5000)])
/**
 * A signature as it was made: strokes of a hand on a sheet of that size, a name typed, or a picture (PNG or
 * JPEG as base64).
 */
export const signatureValue = z.union([
  z.strictObject({
    strokes: z.array(z.array(point).min(1).max(3000)).min(1).max(200),
    width: z.number().min(1).max(5000),
    height: z.number().min(1).max(5000),
  }),
  z.strictObject({
    typed: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
  }),
  z.strictObject({
    picture: z
      .string()
      .min(1)
      .max(700_000)
      .regex(/^[A-Za-z0-9+/=]+$/),
  }),
])
export type SignatureValue = z.output<typeof signatureValue>

/**
 * What a field was filled with: a signature, a text (days as YYYY-MM-DD), a tick, or the id of a file that
 * was sent before.
 */
export const filledValue = z.union([
  signatureValue,
  z.string().max(2000, { error: 'fields.tooLong' }),
  z.boolean(),
])
export type Filled = z.output<typeof filledValue>

/**
 * The matrix from a field's own points (from its lower left corner, upward) to those of the unrotated page.
 * @param field in points of the page as it is shown, from its upper left corner
 */
export function matrixOf(
  shape: PageShape,
  field: { x: number; y: number; h: number },
): [number, number, number, number, number, number] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = shape.box
  const up = shape.height - field.y - field.h
  switch (shape.rotate) {
    case 90:
      return [0, 1, -1, 0, x1 - up, y0 + field.x]
    case 180:
      return [-1, 0, 0, -1, x1 - field.x, y1 - up]
    case 270:
      return [0, -1, 1, 0, x0 + up, y1 - field.x]
    default:
      return [1, 0, 0, 1, x0 + field.x, y0 + up]
  }
}

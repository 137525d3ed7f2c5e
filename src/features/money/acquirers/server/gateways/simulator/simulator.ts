import type { GatewayName } from '../../../acquirers.ts'
import type { Bank, SimulatedDeal, SimulatedForm } from './bank.ts'

export interface Call {
  method: string
  /** Below the acquirer's own part of the address: 'LowProfile/Create'. */
  path: string
  query: Record<string, string>
  /** Of a form or of JSON. */
  fields: Record<string, unknown>
  headers: Record<string, string>
  /** The base address of this acquirer's simulator, for addresses in its answers. */
  home: string
}

export type Said = { json: unknown; status?: number } | { text: string; status?: number }

/** An acquirer's own words over the bank they share. */
export interface Stand {
  name: GatewayName
  /** What is typed in where the product is tried out with it; whatever begins with `wrong` is refused. */
  settings: Readonly<Record<string, string>>
  /** The setting that is refused where it is wrong. */
  secret: string
  /** A call that the payer's browser makes, without the keys of the business. */
  isPayers?: (call: Call) => boolean
  /** undefined: there is no such call. */
  answer: (bank: Bank, call: Call) => Said | undefined
  /** What the payer's browser brings back from a form. */
  back?: (bank: Bank, form: SimulatedForm, deal: SimulatedDeal | undefined) => Record<string, string>
  /** What it sends to the address of notices. */
  notice?: (
    bank: Bank,
    form: SimulatedForm,
    deal: SimulatedDeal,
  ) => { body: string; headers: Record<string, string> }
}

export const str = (fields: Record<string, unknown>, ...path: string[]): string => {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    fields,
  )
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : ''
}

/** Keys that a stand-in refuses, as the acquirer refuses wrong ones. */
export const isWrong = (...keys: string[]): boolean =>
  keys.some((key) => key === '' || key.startsWith('wrong'))

export const asForm = (
  fields: Record<string, string | number>,
): { body: string; headers: Record<string, string> } => ({
  body: new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
export const asJson = (body: unknown): { body: string; headers: Record<string, string> } => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

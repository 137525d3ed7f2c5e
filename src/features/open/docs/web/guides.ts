/**
 * Pages of the calls of the trade, by the names the specification gives them: apiguide and the name for
 * people, apiv1 and the name as reference.
 */
export const guides = [
  'login',
  'companies',
  'company',
  'customers',
  'addcustomer',
  'providers',
  'provider',
  'product',
  'deleteproduct',
  'invoices',
  'currencies',
  'language',
  'sms',
  'addcardtoken',
] as const
export type GuideName = (typeof guides)[number]

export const guidePath = (name: GuideName): string => `/invoice/apiguide${name}`
export const referencePath = (name: GuideName): string => `/invoice/apiv1/${name}`
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
export const guideScreen = (name: GuideName): string => `apiGuide${capital(name)}`
export const referenceScreen = (name: GuideName): string => `apiV1${capital(name)}`

/**
 * The calls that the specification gives no page: one page for people and one as reference, which say by
 * `call` which of them is shown.
 */
export const furtherGuide = { screen: 'apiGuideCall', path: '/invoice/apiguidecall' } as const
export const furtherReference = { screen: 'apiV1Call', path: '/invoice/apiv1/call' } as const

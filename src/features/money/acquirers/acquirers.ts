/** All that can be connected, in the order they are shown. */
export const gatewayNames = [
  'cardcom',
  'tranzila',
  'payplus',
  'grow',
  'hyp',
  'pelecard',
  'icredit',
  'nedarim',
  'paypal',
  'test',
] as const
export type GatewayName = (typeof gatewayNames)[number]

/** Those that set money aside on a card, to be taken or let go later. */
export const holdingGateways: readonly GatewayName[] = ['payplus', 'icredit', 'paypal', 'test']

export const terminalStates = ['draft', 'proved', 'failing', 'off'] as const
export type TerminalState = (typeof terminalStates)[number]

/**
 * Why a card was declined, as far as it tells what to do: soft, again on another day; hard, another card;
 * fraud, neither is tried; expired, renew; details, typed wrongly; technical, the terminal and not the card.
 */
export const declineClasses = ['soft', 'hard', 'fraud', 'expired', 'details', 'technical'] as const
export type DeclineClass = (typeof declineClasses)[number]

export const refundStates = ['asked', 'unknown', 'needsPerson', 'done', 'refused'] as const

/** What an acquirer can do for a business, as its client shows; each is a word. */
export const abilities = [
  'page',
  'fields',
  'token',
  'keepsAlone',
  'hold',
  'capture',
  'void',
  'refundPart',
  'instalments',
  'bit',
  'googlePay',
  'applePay',
  'payPal',
  'threeDs',
  'list',
  'deposits',
  'replacedCards',
  'asksByOurReference',
] as const
export type Ability = (typeof abilities)[number]

/** Means that a form can be opened for alone, in the order they are offered beside the card. */
export const wallets = ['bit', 'googlePay', 'applePay', 'payPal'] as const
export type Wallet = (typeof wallets)[number]

/** Names of theirs, the same in every language. */
export const walletNames: Readonly<Record<Wallet, string>> = {
  bit: 'Bit',
  googlePay: 'Google Pay',
  applePay: 'Apple Pay',
  payPal: 'PayPal',
}

/** Bit takes one payment of up to 5,000 shekels. */
export const takesWallet = (wallet: Wallet, agorot: number): boolean => wallet !== 'bit' || agorot <= 500_000

/** One setting of a terminal, as its form is drawn. */
export interface SettingField {
  name: string
  kind: 'text' | 'secret' | 'choice' | 'flag'
  optional?: true
  /** A secret that the acquirer's own documentation has the payer's browser send. */
  inBrowser?: true
  choices?: readonly string[]
  start?: string
  /** What it must look like; said as `fields.code`. */
  like?: RegExp
}

export const cardStates = ['active', 'replaced', 'askAgain', 'removing', 'removed'] as const
export type CardState = (typeof cardStates)[number]

/** The last day a card can be charged: by expiry, or until its token is deleted. */
export const lastDayOf = (expiry: string, tokenDeletedOn: string | null): string => {
  const [year, month] = expiry.split('-').map(Number) as [number, number]
  const end = `${expiry}-${String(new Date(Date.UTC(year, month, 0)).getUTCDate()).padStart(2, '0')}`
  return tokenDeletedOn && tokenDeletedOn <= end ? tokenDeletedOn : end
}

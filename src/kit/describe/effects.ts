/**
 * What money, books and documents can be changed by, and what can leave the business. `collect` is money that a payer
 * pays on a page, `discount` is what a coupon takes off a price, `send` is what a schedule sends out.
 */
export const effects = ['issue', 'post', 'charge', 'collect', 'refund', 'pay', 'discount', 'send'] as const
export type Effect = (typeof effects)[number]

/** Why an effect is beyond limits: words of `approvals.why`. `noRate`: there is a limit, and no rate to compare by. */
export const whys = [
  'draftsOnly',
  'sumLimit',
  'chargeLimit',
  'refundLimit',
  'documentType',
  'noRate',
  'gone',
  'noRight',
] as const
export type Why = (typeof whys)[number]

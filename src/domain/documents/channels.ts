/** How a document reaches its customer. */
export const channels = ['mail', 'sms', 'whatsapp'] as const
export type Channel = (typeof channels)[number]

export interface Reach {
  /** What the customer was sent the last document by. */
  last: Channel | null
  hasMail: boolean
  hasMobile: boolean
  /** The sender holds a phone, on which WhatsApp is at hand. */
  onPhone: boolean
}

/** Channels in the order in which they are offered here. */
export const channelsFor = ({ onPhone }: Pick<Reach, 'onPhone'>): readonly Channel[] =>
  onPhone ? ['whatsapp', 'sms', 'mail'] : ['mail', 'whatsapp', 'sms']

/**
 * What a document is sent by unless the sender chooses otherwise: the way that was used last, else the first that
 * reaches the customer. Where nothing is known of the customer, WhatsApp on a phone, because its list of people is
 * asked there, and mail at a desk.
 */
export function channelFor(reach: Reach): Channel {
  const reaches = (one: Channel) => (one === 'mail' ? reach.hasMail : reach.hasMobile)
  const order = channelsFor(reach)
  if (reach.last && reaches(reach.last)) return reach.last
  // A text message costs money and needs a provider: only somebody who used it before begins with it.
  return order.find((one) => one !== 'sms' && reaches(one)) ?? order[0]!
}

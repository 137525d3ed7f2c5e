/** All that can be connected, in the order they are shown. */
export const gatewayNames = ['test'] as const
export type GatewayName = (typeof gatewayNames)[number]

export const terminalStates = ['draft', 'proved', 'failing', 'off'] as const
export type TerminalState = (typeof terminalStates)[number]

/**
 * Why a card was declined, as far as it tells what to do: soft, again on another day; hard, another card; fraud, neither is tried; expired, renew;
 * details, typed wrongly; technical, the terminal and not the card.
 */
export const declineClasses = ['soft', 'hard', 'fraud', 'expired', 'details', 'technical'] as const
export type DeclineClass = (typeof declineClasses)[number]

export const refundStates = ['asked', 'unknown', 'needsPerson', 'done', 'refused'] as const

import type { GatewayName } from '../../acquirers.ts'
import type { Gateway } from '../gateway.ts'
import { cardcom } from './cardcom/client.ts'
import { grow } from './grow/client.ts'
import { hyp } from './hyp/client.ts'
import { icredit } from './icredit/client.ts'
import { nedarim } from './nedarim/client.ts'
import { payplus } from './payplus/client.ts'
import { paypal } from './paypal/client.ts'
import { pelecard } from './pelecard/client.ts'
import { testGateway } from './test/client.ts'
import { tranzila } from './tranzila/client.ts'

/** All gateways, in the order they are shown. */
export const gateways: readonly Gateway[] = [
  cardcom,
  tranzila,
  payplus,
  grow,
  hyp,
  pelecard,
  icredit,
  nedarim,
  paypal,
  testGateway,
]

const byName = new Map<string, Gateway>(gateways.map((one) => [one.name, one]))

export function gatewayNamed(name: GatewayName): Gateway {
  const found = byName.get(name)
  if (!found) throw new Error(`no such gateway: ${name}`)
  return found
}

import type { GatewayName } from '../../acquirers.ts'
import type { Gateway } from '../gateway.ts'
import { testGateway } from './test/client.ts'

/** All gateways, in the order they are shown. */
const gateways: readonly Gateway[] = [testGateway]

const byName = new Map<string, Gateway>(gateways.map((one) => [one.name, one]))

export function gatewayNamed(name: GatewayName): Gateway {
  const found = byName.get(name)
  if (!found) throw new Error(`no such gateway: ${name}`)
  return found
}

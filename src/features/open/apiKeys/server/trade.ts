import type { App } from '#kit/server/context.ts'
import type { tradeCurrencies } from '../endpoints.ts'

/** How a key is understood by the calls that programs of other products know. */
export interface Trade {
  currencies: (typeof tradeCurrencies)[number] | null
  alwaysOk: boolean
}

export async function tradeOf(app: App, companyId: string, keyId: string): Promise<Trade> {
  const { rows } = await app.db.pool.query<Trade>({
    name: 'trade-of-key',
    text: 'select trade_currencies as currencies, trade_always_ok as "alwaysOk" from api_keys where company_id = $1 and id = $2',
    values: [companyId, keyId],
  })
  return rows[0] ?? { currencies: null, alwaysOk: false }
}

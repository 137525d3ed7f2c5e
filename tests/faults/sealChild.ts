import { openDatabase } from '#kit/server/data/db.ts'
import { readSettings } from '#kit/server/settings.ts'
import { createApp } from '#kit/server/start.ts'
import { sealRequest } from '#features/sales/signing/server/seal.ts'

/**
 * Seals one paper as a worker does, to be killed while it does: `sealChild.ts <database> <data folder>
 * <business> <paper> <now>`.
 */
const [url, dataDir, companyId, requestId, now] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const app = {
  ...createApp(
    {
      ...readSettings(),
      dataDir,
      secretsFile: `${dataDir}/secrets.json`,
      logLevel: 'silent',
      smtpUrl: undefined,
      development: true,
    },
    openDatabase(url, 2),
    () => 'http://pinkas.test',
  ),
  now: () => new Date(Number(now)),
}
process.send?.('begins')
void sealRequest(app, companyId, requestId).then(() => {
  process.send?.('ended')
  process.exit(0)
})

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { overlongSql } from './sqlWidth.ts'

// `npm run format`: wraps SQL templates, then formats everything that `npm run check` compares.
overlongSql(true)
const done = spawnSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '.'], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(done.status ?? 1)

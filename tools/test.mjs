// `npm test`, `npm run test:all`: installs what is missing, then runs the suite (tools/suite/run.ts).
import { spawn } from 'node:child_process'
import { install, root } from './install.mjs'

await install()
const child = spawn(process.execPath, ['--import', 'tsx', 'tools/suite/run.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))

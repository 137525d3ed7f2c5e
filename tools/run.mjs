// Runs a TypeScript tool: `node tools/run.mjs tools/x.ts ...`; installs what is missing first.
import { spawn } from 'node:child_process'
import { install } from './install.mjs'

await install()
const child = spawn(process.execPath, ['--import', 'tsx', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

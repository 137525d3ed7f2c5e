import fc from 'fast-check'

// The same commit runs the same tests: properties draw from one seed. `npm run test:all` draws from another each time and
// names it; `SEED=… npx vitest run <file>` repeats one.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) })

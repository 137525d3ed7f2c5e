import { createApp } from '#kit/server/start.ts'
console.log(typeof createApp)

import '#kit/web/theme/app.css'
import { startApp } from '#kit/web/App.tsx'
import { account } from '#features/base/session/web/index.tsx'
import { webFeatures } from './webFeatures.tsx'

startApp({
  screens: webFeatures.flatMap(({ screens }) => screens),
  links: webFeatures.flatMap(({ links = [] }) => links),
  account,
  at: document.getElementById('app')!,
})

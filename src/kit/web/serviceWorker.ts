import { banner } from './shell/banner.ts'
import { UpdateNotice } from './shell/UpdateNotice.tsx'
import { arrivedWords } from './words/wording.ts'
import { createElement } from 'react'

/**
 * Registers the service worker: the application opens without a network. A new version waits until the person
 * says so, because a page in use must not lose the code of its own screens.
 */
export async function startServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register('/sw.js')
    // The words of the first visit came before there was anybody to keep them.
    if (!navigator.serviceWorker.controller) void keepWords().catch(() => undefined)
    const tell = (worker: ServiceWorker) => {
      const take = () => {
        navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
        worker.postMessage({ type: 'SKIP_WAITING' })
      }
      banner.info(createElement(UpdateNotice, { take }))
    }
    if (registration.waiting && navigator.serviceWorker.controller) tell(registration.waiting)
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && navigator.serviceWorker.controller) tell(worker)
      })
    })
    // A tab that stays open for days hears of a new version too.
    setInterval(() => void registration.update().catch(() => undefined), 3_600_000)
  } catch {
    // Refused (private window, no TLS): the application works without it.
  }
}

/** Into the cache where vite.config.ts keeps what the worker fetches; the browser still has the bytes. */
async function keepWords(): Promise<void> {
  const cache = await caches.open('assets')
  await cache.addAll(arrivedWords())
}

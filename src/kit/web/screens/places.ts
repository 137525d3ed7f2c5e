import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { fetchPart } from '../fetchPart.ts'

/** What a part is told: the key or the id of what the page shows, and how to ask for that page's record again. */
export interface PlacedProps {
  of: string
  refresh: () => void
}

type Placed = LazyExoticComponent<ComponentType<PlacedProps>>

const placed = new Map<string, Placed[]>()

/**
 * Puts a part on a page of a feature that knows nothing of it: `registerPart('documentPage', () => import('./PayPart.tsx'))`, in
 * web/screens.ts. The page of a document of a type is the place `document:<type>`, its tab of sending `documentSending:<type>`. `fileShare` is
 * a dialog over a file, which closes itself by `refresh`. The module exports its component as `Part`.
 */
export function registerPart(place: string, load: () => Promise<{ Part: ComponentType<PlacedProps> }>): void {
  placed.set(place, [
    ...(placed.get(place) ?? []),
    lazy(() => fetchPart(load).then(({ Part }) => ({ default: Part }))),
  ])
}

export const partsOf = (place: string): readonly Placed[] => placed.get(place) ?? []

import { useQuery } from '@tanstack/react-query'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { fetchPart } from '../calls/fetchPart.ts'

/** The input of a part: the key or the id of the record of the page, and how to read that record again. */
export interface PlacedProps {
  of: string
  refresh: () => void
}

/** The module of a part. What `Part` shows first may be fetched by `ahead`, while the page is still on its way. */
interface PartModule {
  Part: ComponentType<PlacedProps>
  ahead?: (of: string) => Promise<unknown>
}

type Placed = LazyExoticComponent<ComponentType<PlacedProps>>

interface Entry {
  Part: Placed
  load: () => Promise<PartModule>
}

const placed = new Map<string, Entry[]>()
const none: readonly Entry[] = []

/**
 * Puts a part on a page of a feature that knows nothing of it: `registerPart('documentPage', () =>
 * import('./PayPart.tsx'))`, in web/screens.ts. The page of a document of a type is the place
 * `document:<type>`, its tab of sending `documentSending:<type>`. `fileShare` is a dialog over a file, which
 * closes itself by `refresh`. The module exports its component as `Part`.
 */
export function registerPart(place: string, load: () => Promise<PartModule>): void {
  const fetched = () => fetchPart(load)
  placed.set(place, [
    ...(placed.get(place) ?? []),
    { Part: lazy(() => fetched().then(({ Part }) => ({ default: Part }))), load: fetched },
  ])
}

export const partsOf = (place: string): readonly Placed[] => placed.get(place)?.map(({ Part }) => Part) ?? []

/**
 * The parts of a place that has other content below it, for which the page `waits` with its skeleton: content
 * that a part pushes down later moves under the reader's hand. Code and first answers of the parts are fetched
 * at once, beside what the page itself asks for. A part that fails to load never holds the page back.
 */
export function usePlaced(place: string | undefined, of: string) {
  const all = place ? (placed.get(place) ?? none) : none
  const { data, isLoading } = useQuery({
    queryKey: ['placed', place, of],
    queryFn: () =>
      Promise.all(
        all.map(async ({ Part, load }): Promise<ComponentType<PlacedProps>> => {
          try {
            const part = await load()
            await part.ahead?.(of)
            return part.Part
          } catch {
            return Part
          }
        }),
      ),
    enabled: all.length > 0,
    // From then on each part keeps its own answer fresh.
    staleTime: Infinity,
    gcTime: 0,
  })
  return { parts: data ?? [], waits: isLoading }
}

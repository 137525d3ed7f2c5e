import { askAhead, useCall } from '#kit/web/calls/call.ts'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { documentSign } from '../endpoints.ts'
import { ToSign } from './ToSign.tsx'

export const ahead = (key: string) => askAhead(documentSign, { key })

/** On a document's page: what of it waits for the customer's own signature. */
export function Part({ of: key }: PlacedProps) {
  const { data } = useCall(documentSign, { key })
  return data ? <ToSign rows={data.rows} /> : null
}

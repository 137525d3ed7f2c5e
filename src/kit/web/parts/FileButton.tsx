import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Endpoint, InputOf } from '#kit/describe/endpoint.ts'
import { useFile } from '../calls/useFile.ts'
import { Button, type ButtonProps } from './Button.tsx'

export interface FileButtonProps<E extends Endpoint<any, any>> extends Omit<
  ButtonProps,
  'onPress' | 'busy' | 'href' | 'type' | 'form'
> {
  endpoint: E
  input: InputOf<E>
  /** Shows it in a new tab; otherwise it is saved. */
  open?: boolean
}

/** Fetches a file; busy until it is there, and says why when it does not come. */
export function FileButton<E extends Endpoint<any, any>>({
  endpoint,
  input,
  open,
  icon = Download,
  ...button
}: FileButtonProps<E>) {
  const file = useFile()
  const [busy, setBusy] = useState(false)
  const fetch = async () => {
    setBusy(true)
    await file(endpoint, input, open ? { open } : {})
    setBusy(false)
  }
  return <Button {...button} icon={icon} busy={busy} onPress={() => void fetch()} />
}

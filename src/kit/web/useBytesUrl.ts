import { useEffect, useState } from 'react'
import type { Endpoint } from '../describe/endpoint.ts'
import { callBytes } from './call.ts'

/** The address of a picture that a call gives to whoever has a key: for an `img`; nothing until it is there, or when `wanted` is false. */
export function useBytesUrl(endpoint: Endpoint<any, any>, key: string, wanted: boolean): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!wanted) return
    let made: string | undefined
    let isGone = false
    void callBytes(endpoint, { key }, { quiet: true })
      .then(({ blob }) => {
        if (isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [endpoint, key, wanted])
  return url
}

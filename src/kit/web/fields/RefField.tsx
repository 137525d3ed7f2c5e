import { useEffect, useRef, useState } from 'react'
import { useWords } from '../words/words.tsx'
import { Combo, type ComboProps, type Option } from './Combo.tsx'

export interface RefFieldProps extends Omit<ComboProps, 'options' | 'loading' | 'failed' | 'onQuery'> {
  /** Empty text asks for the most used. The signal is aborted when a newer question is asked. */
  search: (query: string, signal: AbortSignal) => Promise<Option[]>
}

/**
 * Another record, found by typing: a customer, an item, an account. «new "…"» at the end makes one in place.
 */
export function RefField({ search, ...props }: RefFieldProps) {
  const t = useWords()
  const [options, setOptions] = useState<Option[]>([])
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  const running = useRef<{ stop: AbortController; timer: ReturnType<typeof setTimeout> }>(undefined)
  const drop = () => {
    clearTimeout(running.current?.timer)
    running.current?.stop.abort()
  }
  useEffect(() => drop, [])
  const onQuery = (query: string) => {
    drop()
    const stop = new AbortController()
    setLoading(true)
    const ask = async () => {
      try {
        const found = await search(query.trim(), stop.signal)
        if (stop.signal.aborted) return
        setOptions(found)
        setFailed(false)
      } catch {
        if (stop.signal.aborted) return
        setOptions([])
        setFailed(true)
      }
      setLoading(false)
    }
    // Letters of one word come faster than this; the first question of an empty field goes at once.
    running.current = { stop, timer: setTimeout(() => void ask(), query.trim() === '' ? 0 : 120) }
  }
  return (
    <Combo
      {...props}
      options={options}
      loading={loading}
      failed={failed ? t('kit.combo.failed') : undefined}
      onQuery={onQuery}
    />
  )
}

import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { usePlace, writeQuery, type Query } from './place.ts'

/**
 * State that an address may begin: the dialog that `?add=1` opens. `begin` makes it from the query whenever
 * the first of `names` comes to be in the address. All of `names` then leave the address, so that neither a
 * reload nor the way back asks again.
 */
export function useAskedFor<S>(
  names: readonly [string, ...string[]],
  begin: (query: Query) => S | undefined,
): [S | undefined, Dispatch<SetStateAction<S | undefined>>] {
  const { query, setQuery } = usePlace()
  const asked = query[names[0]]
    ? writeQuery(Object.fromEntries(names.map((name) => [name, query[name]])))
    : ''
  const [state, setState] = useState<S>()
  const [last, setLast] = useState('')
  if (asked !== last) {
    setLast(asked)
    const begun = asked === '' ? undefined : begin(query)
    if (begun !== undefined) setState(begun)
  }
  const leaving = names.join()
  useEffect(() => {
    if (asked !== '') setQuery(Object.fromEntries(leaving.split(',').map((name) => [name, undefined])))
  }, [asked, leaving, setQuery])
  return [state, setState]
}

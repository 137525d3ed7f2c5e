/**
 * Units of the trade, by their word keys `items.units.<unit>`; an item keeps the word itself, and a business
 * may write its own.
 */
export const units = [
  'piece',
  'hour',
  'day',
  'month',
  'kg',
  'gram',
  'ton',
  'litre',
  'metre',
  'squareMetre',
  'cubicMetre',
  'km',
  'package',
  'carton',
  'set',
  'pair',
  'roll',
  'visit',
] as const

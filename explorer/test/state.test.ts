import { expect, test } from 'vitest';
import { emptyState, fromAddress, toAddress } from '../src/state';

test('what was never chosen is not in the address', () => {
  expect(toAddress(emptyState())).toBe('');
});

test('every choice survives the address', () => {
  const state = emptyState();
  state.view = 'lines';
  state.wanted.set('flags', ['-O3 -fno-inline', '~,=&#%', '', '=5']);
  state.wanted.set('message_bytes', [16, 1024]);
  state.wanted.set('mode', [null, 'cbc', 'none']);
  state.ranges.set('rom_bytes', { most: 1024 });
  state.ranges.set('ram_bytes', { least: 1, most: 0.5 });
  state.words = 'äes & co';
  state.sort = { name: 'cycles', descending: true };
  state.everyColumn = true;
  state.options.set('lines.metric', 'cycles');
  state.record = '1a2b3c';
  state.pair = ['a1', 'b2'];
  expect(fromAddress(`#${toAddress(state)}`)).toEqual(state);
});

test('a damaged address costs its own part only', () => {
  const state = fromAddress('#is.target=%E0%A4%A&in.rom_bytes=x..y&words=a&nonsense&=');
  expect(state.words).toBe('a');
  expect(state.ranges.size).toBe(0);
});

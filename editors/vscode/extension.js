// The extension starts `tailor lsp`, and types glyphs: the prefix and a key.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const keys = require('./glyphs.json');

let client;

function command() {
  return vscode.workspace.getConfiguration('tailor').get('path', 'tailor');
}

async function start() {
  const run = { command: command(), args: ['lsp'] };
  client = new LanguageClient('tailor', 'Tailor', run, { documentSelector: [{ language: 'apl' }] });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Tailor: ${command()} lsp does not start: ${error.message}. Set tailor.path.`);
  }
}

// The glyph in place of a prefix and the key behind it, when the key has been typed.
function glyphs(event) {
  const editor = vscode.window.activeTextEditor;
  const prefix = vscode.workspace.getConfiguration('tailor').get('prefix', '`');
  if (!editor || event.document !== editor.document || event.document.languageId !== 'apl') return;
  if (prefix === '' || event.contentChanges.length !== 1) return;
  const change = event.contentChanges[0];
  const glyph = keys[change.text];
  const at = change.range.start;
  if (!glyph || at.character < prefix.length || !change.range.isEmpty) return;
  const from = at.translate(0, -prefix.length);
  if (event.document.getText(new vscode.Range(from, at)) !== prefix) return;
  const typed = new vscode.Range(from, at.translate(0, change.text.length));
  editor.edit((edit) => edit.replace(typed, glyph), { undoStopBefore: false, undoStopAfter: true });
}

function runProgram() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.isUntitled) return;
  editor.document.save().then(() => {
    const task = new vscode.Task({ type: 'tailor' }, vscode.TaskScope.Workspace, 'run', 'tailor',
      new vscode.ProcessExecution(command(), ['run', editor.document.uri.fsPath]));
    vscode.tasks.executeTask(task);
  });
}

// Heat: the lines of a program that was profiled have a background by their share of the
// time, and behind them what they cost. It goes when the text changes.
const steps = 8;
let heat = [];

function makeHeat() {
  for (let i = 0; i < steps; i++) {
    const colour = `rgba(255, ${Math.round(150 - (110 * i) / (steps - 1))}, 0, ${(0.05 + (0.4 * i) / (steps - 1)).toFixed(2)})`;
    heat.push(vscode.window.createTextEditorDecorationType({
      isWholeLine: true, backgroundColor: colour, overviewRulerColor: colour, overviewRulerLane: vscode.OverviewRulerLane.Right,
    }));
  }
}

// The step of a share of the time, -1 for one that is not worth a colour: each step is half
// of the one above.
function stepOf(share) {
  const step = steps - 1 + Math.floor(Math.log2(Math.max(share, 1e-9)) + 1e-9);
  return share >= 0.999 ? steps - 1 : Math.max(-1, step);
}

function brief(row) {
  const time = row.seconds >= 1 ? `${row.seconds.toPrecision(3)} s` : row.seconds >= 1e-3 ? `${(row.seconds * 1e3).toPrecision(3)} ms` : `${(row.seconds * 1e6).toPrecision(3)} µs`;
  return `  ${(row.share * 100).toFixed(0)}% · ${time} · ${row.runs}×${row.bytes > 0 ? ` · ${(row.bytes / 1e6).toPrecision(3)} MB` : ''}`;
}

function showHeat(editor, rows) {
  const byStep = heat.map(() => []);
  for (const row of rows) {
    const step = stepOf(row.share);
    if (row.joined || step < 0 || row.line > editor.document.lineCount) continue;
    byStep[step].push({
      range: editor.document.lineAt(row.line - 1).range,
      renderOptions: { after: { contentText: brief(row), color: new vscode.ThemeColor('editorCodeLens.foreground') } },
    });
  }
  heat.forEach((type, i) => editor.setDecorations(type, byStep[i]));
}

function clearHeat(document) {
  for (const editor of vscode.window.visibleTextEditors) {
    if (editor.document === document) heat.forEach((type) => editor.setDecorations(type, []));
  }
}

async function profile() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.isUntitled || !client) return;
  await editor.document.save();
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const running = { location: vscode.ProgressLocation.Window, title: 'Tailor: profiling' };
  try {
    const answer = await vscode.window.withProgress(running, () =>
      client.sendRequest('workspace/executeCommand', { command: 'tailor.profile', arguments: [uri] }));
    showHeat(editor, answer.lines);
  } catch (error) {
    vscode.window.showErrorMessage(`Tailor: ${error.message}`);
  }
}

async function activate(context) {
  makeHeat();
  context.subscriptions.push(
    vscode.workspace.onDidChangeTextDocument(glyphs),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length > 0) clearHeat(event.document);
    }),
    vscode.commands.registerCommand('tailor.run', runProgram),
    vscode.commands.registerCommand('tailor.heat', profile),
    vscode.commands.registerCommand('tailor.noHeat', () => {
      if (vscode.window.activeTextEditor) clearHeat(vscode.window.activeTextEditor.document);
    }),
    vscode.commands.registerCommand('tailor.restart', async () => {
      if (client) await client.stop();
      await start();
    }),
  );
  await start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };

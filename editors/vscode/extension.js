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

async function activate(context) {
  context.subscriptions.push(
    vscode.workspace.onDidChangeTextDocument(glyphs),
    vscode.commands.registerCommand('tailor.run', runProgram),
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
